import { errors, operations, pastWords, triedWords } from '@tabletop-relay/contract';
import type { CallRecord, ErrorCode, EventWords, Operation } from '@tabletop-relay/contract';

const byName = new Map(operations.map((operation) => [operation.name, operation]));

export const findOperation = (name: string): Operation | undefined => byName.get(name);

/** A call in words that need no knowledge of programs: who did what. */
export function callWords({ keyName, operation: name, outcome, standsFor }: CallRecord): EventWords {
  const operation = byName.get(name);
  const who = keyName || 'A program';
  const others = standsFor - 1;
  const many =
    others > 0 ? `, and ${others.toLocaleString('en')} ${others === 1 ? 'call' : 'calls'} like it` : '';
  if (outcome === 'ok') {
    const did = operation ? pastWords(operation) : `called ${name}`;
    return { tone: 'good', word: 'Called', sentence: `${who} ${did}${many}.` };
  }
  const tried = operation ? triedWords(operation) : `called ${name}`;
  return { ...toneOf(outcome), sentence: `${who} ${tried}: ${reasonOf(outcome)}${many}.` };
}

const known = (outcome: string) =>
  Object.hasOwn(errors, outcome) ? errors[outcome as ErrorCode] : undefined;

const toneOf = (outcome: string): Pick<EventWords, 'tone' | 'word'> =>
  (known(outcome)?.status ?? 500) < 500 ? { tone: 'warn', word: 'Refused' } : { tone: 'bad', word: 'Failed' };

function reasonOf(outcome: string): string {
  const title = known(outcome)?.title ?? outcome;
  return title.charAt(0).toLowerCase() + title.slice(1);
}
