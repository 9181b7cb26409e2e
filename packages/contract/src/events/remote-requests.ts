import type { ErrorCode } from '../errors/errors.ts';
import { placeOf } from './connection-outcomes.ts';
import type { EventWords } from './words.ts';

/** How a request of a world to another one ended: it was answered, nobody was left to answer, or a code of the errors. */
export type RemoteRequestOutcome = 'ok' | 'source_lost' | ErrorCode;

const refused = { tone: 'bad', word: 'Refused' } as const;
const notNow = { tone: 'warn', word: 'Not now' } as const;
const unknown = { tone: 'warn', word: 'Unknown' } as const;

/** The outcomes of a request between worlds. The sentence goes on from what was asked. */
export const remoteRequestOutcomes = {
  ok: { tone: 'good', word: 'Answered', sentence: 'and was answered' },
  invalid_request: { ...refused, sentence: 'but the request was not valid' },
  not_found: { ...refused, sentence: 'but there is no such operation' },
  payload_too_large: { ...refused, sentence: 'but the request was too large' },
  scope_missing: { ...refused, sentence: 'but its browser lacks the permission for that' },
  client_not_found: { ...refused, sentence: 'but its browser may not act there' },
  rate_limited: { ...refused, sentence: 'but had asked too often' },
  paused: { ...refused, sentence: 'but that world is paused' },
  idempotency_key_reused: { ...refused, sentence: 'but the idempotency key was that of another request' },
  forbidden: { ...refused, sentence: 'but lost the permission before it was answered' },
  key_invalid: { ...refused, sentence: 'but its browser was unpaired' },
  rotation_required: { ...refused, sentence: 'but the account needs a new master key' },
  account_disabled: { ...refused, sentence: 'but the account is disabled' },
  already_done: { tone: 'good', word: 'Done before', sentence: 'and had been answered before' },
  operation_failed: { tone: 'warn', word: 'Failed', sentence: 'and that world refused' },
  client_offline: { ...notNow, sentence: 'but that world was offline' },
  idempotency_running: { ...notNow, sentence: 'but the request before it still ran' },
  overloaded: { ...notNow, sentence: 'but that world was too busy' },
  unavailable: { ...notNow, sentence: 'but a part of the relay was away' },
  client_timeout: { ...unknown, sentence: 'but that world did not answer in time' },
  outcome_unknown: { ...unknown, sentence: 'but nobody knows what became of the request before it' },
  client_lost: { ...unknown, sentence: 'but that world went away before it answered' },
  client_bad_reply: { ...unknown, sentence: 'but the answer could not be handed over' },
  source_lost: { ...unknown, sentence: 'and went away before the answer came' },
} as const satisfies Partial<Record<RemoteRequestOutcome, EventWords>>;

/** The parts of a remote-request log's entry that its sentence is made of. */
export interface LoggedRemoteRequest {
  sourceTokenName: string;
  action: string;
  outcome: string;
  attempts: number;
}

/** An entry of the remote-request log in words, given the names of its two worlds. */
export function remoteRequestWords(
  log: LoggedRemoteRequest,
  worlds: { source: string; target: string },
): EventWords {
  const { tone, word, sentence } = wordsOf(log.outcome);
  const source = `${worlds.source}${placeOf(log.sourceTokenName)}`;
  const times = log.attempts > 1 ? `, ${log.attempts.toLocaleString('en')} times within a minute` : '';
  const comma = sentence.startsWith('but') ? ',' : '';
  return {
    tone,
    word,
    sentence: `${source} asked ${worlds.target} for ${log.action || 'something'}${comma} ${sentence}${times}.`,
  };
}

function wordsOf(outcome: string): EventWords {
  if (Object.hasOwn(remoteRequestOutcomes, outcome))
    return remoteRequestOutcomes[outcome as keyof typeof remoteRequestOutcomes];
  return { ...notNow, sentence: `but it failed: ${outcome}` };
}
