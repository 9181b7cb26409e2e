import { passwordRule } from '@tabletop-relay/contract';
import { describe, expect, it } from 'vitest';
import type { ProblemError } from '../../problem.ts';
import { createPasswordRule } from './password-rule.ts';

const check = createPasswordRule('https://relay.dragonhall.example');
const email = 'max.otterbach@mail.example';

/** What is said of the password, or nothing. */
async function refusal(password: string, address = email): Promise<string | undefined> {
  const error = await check(password, address, 'newPassword').then(
    () => undefined,
    (thrown: ProblemError) => thrown,
  );
  const [entry] = (error?.fields['errors'] ?? []) as { field: string; message: string }[];
  return entry?.message;
}

describe('the rule of new passwords', () => {
  it.each(['correct horse battery', 'vexed-otter-piano', 'dragon-8472915503', 'ｖｅｘｅｄ ｏｔｔｅｒ ８８'])(
    'takes %s, which is long',
    async (password) => {
      expect(await refusal(password)).toBeUndefined();
    },
  );

  it.each(['kX8#pq2LmZ', 'vexed-otter-p', 'walnut 9932 f'])(
    'takes %s, which is short and hard to guess',
    async (password) => {
      expect(await refusal(password)).toBeUndefined();
    },
  );

  it.each(['1990-07-21', 'qwertz12345', 'p@ssw0rdp@ss', 'poiuzt54321', 'abcdefghij12'])(
    'refuses %s, which is short and easy to guess',
    async (password) => {
      expect(await refusal(password)).toBe(passwordRule.easyToGuess);
    },
  );

  it('takes the words of the service for known when it asks how easy a short one is to guess', async () => {
    expect(await refusal('dragonhal1-r5B')).toBe(passwordRule.easyToGuess);
    await createPasswordRule(undefined)('dragonhal1-r5B', email, 'password');
  });

  it.each(['passwordpassword', 'PasswordPassword2026', 'aaaaaaaaaaaaaaaaaaaa', '111222111222111222'])(
    'refuses %s, which is long and common',
    async (password) => {
      expect(await refusal(password)).toBe(passwordRule.common);
    },
  );

  it.each([
    'tabletop-relay', 'Tabletop-Relay-2026', 'tabletoptabletoptabletop', 'foundryvtt1', 'FoundryVTT-relay-1!',
    'dragonhall.example', 'max.otterbach@mail.example', 'otterbach-otterbach', 'Otterbach2026!!', 'relay password1',
    'otterbach123456789',
  ])('refuses %s, which is little else than words of the service or the address', async (password) => {
    expect(await refusal(password)).toBe(passwordRule.knownWords);
  }); // prettier-ignore

  it.each([
    ['otterbachotterbach', 'otter.otterbach@mail.example', 'the longest word first, for it holds others'],
    ['ab.cd.ef-ab.cd.ef', 'ab.cd.ef@mail.example', 'all that stands before the @'],
    ['max-max-max-max', 'max@mail.example', 'words of three letters'],
    ['tabletop-k3Vq9zX', 'a@mail.example', undefined],
    ['tabletopk3Vq9zXw', 'a@mail.example', 'not'],
    ['kor3orvorqorzor', 'or@mail.example', 'not words of two letters'],
  ])('of %s it takes out the words of %s: %s', async (password, address, what) => {
    const isTaken = what === undefined || what.startsWith('not');
    expect(await refusal(password, address)).toBe(isTaken ? undefined : passwordRule.knownWords);
  });

  it('takes such a word beside others', async () => {
    expect(await refusal('my tabletop has seven purple legs')).toBeUndefined();
  });

  it('counts characters, not units of UTF-16', async () => {
    expect('\u{1f409}'.repeat(10)).toHaveLength(20);
    expect(await refusal('\u{1f409}\u{1f3f0}'.repeat(5))).toBe(passwordRule.common);
    expect(
      await refusal(
        '\u{1f409}\u{1f3f0}\u{1f9d9}\u{1f5e1}\u{1f525}\u{1f9ea}\u{1f4dc}\u{1f319}\u{1f411}\u{1f40e}',
      ),
    ).toBeUndefined();
  });
});
