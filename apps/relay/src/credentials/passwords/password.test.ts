import { hash } from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { isCommonPassword } from './password-strength.ts';
import { createHashing } from './hashing.ts';
import { createPasswords, isFormerForm } from './password.ts';

const settings = { running: 2, waiting: 32, waitingPerAddress: 32, waitMs: 30_000 };
const hashing = createHashing({ log: { info: () => {} }, niceness: 0 });
const composed = 'caf\u00e9 caf\u00e9 caf\u00e9';
const decomposed = composed.normalize('NFD');
/** As releases hashed before passwords were taken as typed. */
const formerHash = (password: string) =>
  hash(password.normalize('NFKC'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
const visitor = { address: '192.0.2.1', account: 'somebody@example.org', isKnown: false };

describe('a password', () => {
  it('is kept as argon2id of at least 19 MiB and two passes, and verified by it', async () => {
    const passwords = createPasswords(settings, hashing);
    const stored = await passwords.hash('correct horse battery', visitor);
    const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(stored) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(time)).toBeGreaterThanOrEqual(2);
    expect(await passwords.verify(() => stored, 'correct horse battery', visitor)).toBe(true);
    expect(await passwords.verify(() => stored, 'correct horse batterY', visitor)).toBe(false);
  });

  it('is kept as it was typed: another composition of its accents is another password', async () => {
    const passwords = createPasswords(settings, hashing);
    const stored = await passwords.hash(composed, visitor);
    expect(await passwords.verify(() => stored, composed, visitor)).toBe(true);
    expect(await passwords.verify(() => stored, decomposed, visitor)).toBe(false);
    expect(isFormerForm(stored, decomposed)).toBe(false);
  });

  it('of a hash that an earlier release made from its normal form is right as typed, and such a hash is told apart', async () => {
    const passwords = createPasswords(settings, hashing);
    const stored = await formerHash(composed);
    expect(await passwords.verify(() => stored, decomposed, visitor)).toBe(true);
    expect(isFormerForm(stored, decomposed)).toBe(true);
    expect(await passwords.verify(() => stored, composed, visitor)).toBe(true);
    expect(isFormerForm(stored, composed)).toBe(false);
    expect(await passwords.verify(() => stored, `${decomposed}!`, visitor)).toBe(false);
  });

  it('that is wrong costs what follows from itself, whatever the hash, and for nobody too', async () => {
    const verify = vi.fn<typeof hashing.verify>((stored, password) => hashing.verify(stored, password));
    const passwords = createPasswords(settings, { ...hashing, verify });
    const stored = [await formerHash('other'), await passwords.hash('other', visitor), undefined];
    const costs: number[] = [];
    for (const password of [decomposed, composed]) {
      for (const one of stored) {
        verify.mockClear();
        expect(await passwords.verify(() => one, password, visitor)).toBe(false);
        costs.push(verify.mock.calls.length);
      }
    }
    expect(costs).toEqual([2, 2, 2, 1, 1, 1]);
  });

  it('is looked at in both forms within one turn, so that the queue bounds it', async () => {
    const passwords = createPasswords({ ...settings, running: 1 }, hashing);
    const events: string[] = [];
    const turn = (name: string) => ({
      ...visitor,
      atGate: async (look: () => Promise<boolean>) => {
        events.push(`${name} begins`);
        const isRight = await look();
        events.push(`${name} ends`);
        return isRight;
      },
    });
    const stored = await formerHash(composed);
    await Promise.all(
      ['first', 'second'].map((name) => passwords.verify(() => stored, decomposed, turn(name))),
    );
    expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('of nobody is never right', async () => {
    expect(
      await createPasswords(settings, hashing).verify(() => undefined, 'a password that nobody has', visitor),
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
