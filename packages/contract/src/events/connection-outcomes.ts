import { closeCodes } from '../frames/close-codes.ts';
import type { EventWords } from './words.ts';

/** The outcomes of an attempt to connect, and the ends of connections. The sentence goes on from the world's name. */
export const connectionOutcomes = {
  connected: { tone: 'good', word: 'Connected', sentence: 'connected' },
  disconnected: { tone: 'off', word: 'Disconnected', sentence: 'disconnected' },
  standby: { tone: 'off', word: 'Waiting', sentence: 'waits: another browser serves the world' },
  handed_over: {
    tone: 'off',
    word: 'Moved',
    sentence: 'went on to another server of the relay',
  },
  rate_limited: {
    tone: 'bad',
    word: 'Refused',
    sentence: 'was refused: too many attempts from its address',
  },
  auth_timeout: {
    tone: 'bad',
    word: 'Refused',
    sentence: 'opened a connection and sent no token in time',
  },
  auth_missing: {
    tone: 'bad',
    word: 'Refused',
    sentence: 'opened a connection and sent something other than a token',
  },
  token_invalid: { tone: 'bad', word: 'Refused', sentence: 'was refused: its token is unknown or revoked' },
  address_not_allowed: {
    tone: 'bad',
    word: 'Refused',
    sentence: 'was refused: its address is not in the token’s allowlist',
  },
  duplicate: {
    tone: 'warn',
    word: 'Refused',
    sentence: 'was refused: another browser is connected as this world',
  },
  account_disabled: { tone: 'bad', word: 'Refused', sentence: 'was refused: the account is disabled' },
  rotation_required: {
    tone: 'bad',
    word: 'Refused',
    sentence: 'was refused: the account’s master key must be regenerated first',
  },
  unavailable: {
    tone: 'warn',
    word: 'Not now',
    sentence: 'could not be let in because a part of the relay was away',
  },
  gone: { tone: 'off', word: 'Gone', sentence: 'went away before it was let in' },
} as const satisfies Record<string, EventWords>;

/** Why a connection ended, by the code that its WebSocket was closed with: closed by the module, or by the relay. */
const endReasons: Readonly<Record<number, string>> = {
  1000: 'the module ended the connection',
  1001: 'its page was closed or loaded anew',
  1002: 'the module sent what is no WebSocket frame',
  1005: 'the module ended the connection',
  1006: 'the connection broke off, as when a computer sleeps or a network fails',
  1007: 'the module sent text that is not UTF-8',
  1008: 'the module sent a message in too many parts',
  [closeCodes.unsupportedData.code]: 'the module sent what is not text',
  [closeCodes.frameTooBig.code]: 'the module sent more at once than the relay takes',
  [closeCodes.goingAway.code]: 'its server of the relay was going away',
  [closeCodes.temporary.code]: 'the relay closed it for the time being',
  [closeCodes.tokenInvalid.code]: 'its browser was unpaired',
  [closeCodes.addressNotAllowed.code]: 'its address is not allowed any more',
  [closeCodes.duplicate.code]: 'another browser took its place',
};

export type ConnectionOutcome = keyof typeof connectionOutcomes;

/** The parts of a connection log's entry that its sentence is made of. */
export interface LoggedConnection {
  outcome: string;
  /** What the module called its world. Anybody who has the token may call it anything. */
  worldTitle: string;
  /** What the world is known as; empty where it is gone, or was never paired. */
  pairedName?: string;
  tokenName: string;
  metadataMatch: boolean | null;
  mismatch: readonly string[];
  attempts: number;
  closeCode?: number | null;
}

/** An entry of the connection log in words. An outcome that this program does not know is shown by its name. */
export function connectionWords(log: LoggedConnection): EventWords {
  const { tone, word, sentence } = wordsOf(log.outcome);
  const isSuspect = log.metadataMatch === false;
  const mismatch = isSuspect ? `, but its ${log.mismatch.join(' and ')} changed since it paired` : '';
  const times = log.attempts > 1 ? `, ${log.attempts.toLocaleString('en')} times within a minute` : '';
  const subject = `${log.pairedName || log.worldTitle || 'A world'}${placeOf(log.tokenName)}`;
  return {
    ...(isSuspect && tone === 'good' ? { tone: 'warn', word: 'Look' } : { tone, word }),
    sentence: `${subject} ${sentence}${reasonOf(log)}${mismatch}${times}.${ownWordsOf(log, tone)}`,
  };
}

/** What a browser says of itself that was refused, or differs from the one that was paired, as its words alone. */
function ownWordsOf(
  { worldTitle, pairedName, metadataMatch }: LoggedConnection,
  tone: EventWords['tone'],
): string {
  const isStranger = metadataMatch === false || tone === 'bad' || tone === 'warn';
  if (!isStranger || !pairedName || worldTitle === '' || worldTitle === pairedName) return '';
  return ` It calls itself “${worldTitle}”.`;
}

/** The name of a token that no browser brought, but a program on a server. */
export const serverName = 'Server';

/** “ in Firefox on Linux”, to go on from the name of a world; empty where nothing is known. */
export function placeOf(tokenName: string): string {
  if (tokenName === '') return '';
  return tokenName === serverName ? ' on a server' : ` in ${tokenName}`;
}

function reasonOf({ outcome, closeCode }: LoggedConnection): string {
  const reason = outcome === 'disconnected' && closeCode ? endReasons[closeCode] : undefined;
  return reason ? `: ${reason}` : '';
}

function wordsOf(outcome: string): EventWords {
  return Object.hasOwn(connectionOutcomes, outcome)
    ? connectionOutcomes[outcome as ConnectionOutcome]
    : { tone: 'warn', word: outcome, sentence: `: ${outcome}` };
}
