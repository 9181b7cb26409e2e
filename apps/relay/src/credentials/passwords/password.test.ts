import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { createHashing } from './hashing.ts';
import { createPasswords } from './password.ts';

const settings = { running: 2, waiting: 32, waitingPerAddress: 32, waitMs: 30_000 };
const hashing = createHashing({ log: { info: () => {} } });
const visitor = { address: '192.0.2.1', account: 'somebody@example.org', isKnown: false };

describe('a password', () => {
  it('is kept as argon2id of at least 19 MiB and two passes, and verified by it', async () => {
    const passwords = createPasswords(settings, hashing);
    const stored = await passwords.hash('correct horse battery', visitor);
    const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(stored) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(time)).toBeGreaterThanOrEqual(2);
    expect(await passwords.verify(stored, 'correct horse battery', visitor)).toBe(true);
    expect(await passwords.verify(stored, 'correct horse batterY', visitor)).toBe(false);
  });

  it('is the same however its accents are composed', async () => {
    const passwords = createPasswords(settings, hashing);
    expect(
      await passwords.verify(
        await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9', visitor),
        'cafe\u0301 cafe\u0301 cafe\u0301',
        visitor,
      ),
    ).toBe(true);
  });

  it('of nobody is never right', async () => {
    expect(
      await createPasswords(settings, hashing).verify(undefined, 'a password that nobody has', visitor),
    ).toBe(false);
  });

  it('waits in a bounded line: the one too many is told that we are overloaded', async () => {
    const passwords = createPasswords({ ...settings, running: 1, waitingPerAddress: 2 }, hashing);
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => passwords.hash('correct horse battery', visitor)),
    );
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { code: 'overloaded' } });
    await expect(passwords.hash('correct horse battery', visitor)).resolves.toContain('$argon2id$');
  });
});

describe('a common password', () => {
  it.each([
    'qwertyuiop',
    'QWERTYUIOP',
    'password123',
    'password2024',
    'sunshine!!',
    '1234567890',
    'aaaaaaaaaaaa',
  ])('%s is refused', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery', 'vexed-otter-piano', 'dragon-8472915503'])(
    '%s is not one',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false);
    },
  );
});
