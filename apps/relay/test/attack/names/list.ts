import { narrows, operations, refusesUnknown } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';

/** Where a name may stand. A form is taken by an upload alone; a payload is that of a module that asks another world. */
export type NamePlace = 'query' | 'body' | 'form' | 'payload';

/** One call with one name more. */
export interface NameTry {
  operation: Operation;
  place: NamePlace;
  name: string;
  /** Nothing is like it: it may be ignored where the operation does no more without it. */
  isMadeUp: boolean;
}

/** How programs write one name: of several languages, of forms, and of people in a hurry. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  (name) => `${name}[]`,
  (name) => `${name}[0]`,
  (name) => `_${name}`,
  (name) => ` ${name} `,
];

const madeUp = ['zzz', '_', 'combatId'];

/**
 * Every operation with every name that narrows a call, in every spelling and place, but its own parameters; and with names
 * that nobody knows.
 */
export function listNames(): NameTry[] {
  return operations.flatMap((operation) => {
    const own = new Set(['clientId', 'userId', ...Object.keys(operation.parameters)]);
    const spelt = new Set(narrows.flatMap((name) => spellings.map((spell) => spell(name))));
    const foreign = [...spelt].filter((name) => !own.has(name));
    return placesOf(operation).flatMap((place) => [
      ...foreign.map((name) => ({ operation, place, name, isMadeUp: false })),
      ...madeUp.map((name) => ({ operation, place, name, isMadeUp: true })),
    ]);
  });
}

const placesOf = ({ bodyBytes }: Operation): NamePlace[] => [
  'query',
  'body',
  'payload',
  ...(bodyBytes ? (['form'] as const) : []),
];

/** Whether a call with this name may be made as if it were not there. */
export const mayIgnore = ({ operation, isMadeUp }: NameTry): boolean =>
  isMadeUp && !refusesUnknown(operation);
