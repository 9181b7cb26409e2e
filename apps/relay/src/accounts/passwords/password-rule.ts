import { passwordRule } from '@tabletop-relay/contract';
import { isCommonPassword, scorePassword } from '../../credentials/passwords/password-strength.ts';
import { invalidFields } from '../../problem.ts';

/** Throws `invalid_request` for a new password that is easy to guess. `field` is its name in the body; the schema has checked its bounds. */
export type CheckNewPassword = (password: string, email: string, field: string) => Promise<void>;

const serviceWords = ['tabletop', 'relay', 'foundryvtt', 'foundry', 'vtt'];
/** Shorter parts of an address are part of too many words. */
const minWordLength = 3;

/** The rule of new passwords; what PUBLIC_URL names counts among the words that everybody knows. */
export function createPasswordRule(publicUrl: string | undefined): CheckNewPassword {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
  return async (password, email, field) => {
    const words = knownWords(host, email);
    const message = await findFault(password, words);
    if (message !== undefined) throw invalidFields([{ field, message }]);
  };
}

async function findFault(password: string, words: readonly string[]): Promise<string | undefined> {
  const own = withoutWords(password.toLowerCase(), words);
  const isKnown = own !== password.toLowerCase();
  if (isKnown && (lengthOf(own) < passwordRule.minOwnLength || (await isCommonPassword(own)))) {
    return passwordRule.knownWords;
  }
  if (await isCommonPassword(password)) return passwordRule.common;
  if (lengthOf(password) >= passwordRule.longLength) return undefined;
  return (await scorePassword(password, words)) < passwordRule.minScore
    ? passwordRule.easyToGuess
    : undefined;
}

/** The words of the service, the parts of its host and those of the address; the longest first, for they hold others. */
function knownWords(host: string, email: string): string[] {
  const [local = ''] = email.split('@');
  const parts = [host, local, ...host.split(/[^\p{L}\p{N}]+/u), ...email.split(/[^\p{L}\p{N}]+/u)];
  const words = [...serviceWords, ...parts.filter((part) => part.length >= minWordLength)];
  return [...new Set(words.map((word) => word.toLowerCase()))].sort((a, b) => b.length - a.length);
}

function withoutWords(text: string, words: readonly string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ''), text).trim();
}

const lengthOf = (text: string) => Array.from(text).length;
