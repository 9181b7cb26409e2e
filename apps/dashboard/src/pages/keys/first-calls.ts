import type { KnownClient, Scope } from '@tabletop-relay/contract';
import type { CodeCall } from '../try-it/code/code.ts';

/** A call to begin with. It needs nothing known of the world. */
export interface FirstCall {
  scope: Scope;
  operation: { name: string; group: string; method: 'GET' | 'POST'; path: string; sdkMethod: string };
  parameters: Readonly<Record<string, string>>;
  /** What a good answer holds. */
  answer: string;
}

/** Not from the table of operations: it is large, and the page of a new key has no other use for it. A test compares the two. */
const all: readonly FirstCall[] = [
  {
    scope: 'world:read',
    operation: {
      name: 'world-info',
      group: 'utility',
      method: 'GET',
      path: '/world-info',
      sdkMethod: 'utility.worldInfo',
    },
    parameters: {},
    answer: 'the world’s title, system, users and active scene',
  },
  {
    scope: 'roll:execute',
    operation: { name: 'roll', group: 'rolls', method: 'POST', path: '/roll', sdkMethod: 'rolls.roll' },
    parameters: { formula: '1d20' },
    answer: 'the roll; everybody in the world sees it in the chat',
  },
  {
    scope: 'user:read',
    operation: {
      name: 'players',
      group: 'utility',
      method: 'GET',
      path: '/players',
      sdkMethod: 'utility.players',
    },
    parameters: {},
    answer: 'the world’s users',
  },
  {
    scope: 'encounter:read',
    operation: {
      name: 'encounters',
      group: 'encounters',
      method: 'GET',
      path: '/encounters',
      sdkMethod: 'encounters.encounters',
    },
    parameters: {},
    answer: 'the encounters of the world; an empty list where there is none',
  },
  {
    scope: 'entity:read',
    operation: {
      name: 'selected',
      group: 'utility',
      method: 'GET',
      path: '/selected',
      sdkMethod: 'utility.selected',
    },
    parameters: {},
    answer: 'what is selected in the tabletop; an empty list where nothing is',
  },
];

/** The calls to begin with that these permissions allow, the best first. */
export const firstCalls = (scopes: readonly string[]): FirstCall[] =>
  all.filter(({ scope }) => scopes.includes(scope));

/** The call in a world, as the generators of code take it. */
export function codeOfFirst(
  { operation, parameters }: FirstCall,
  { clientId }: Pick<KnownClient, 'clientId'>,
): CodeCall {
  const { name, group, method, path, sdkMethod } = operation;
  const flags = Object.entries(parameters).flatMap(([parameter, value]) => [`--${parameter}`, value]);
  return {
    method,
    path: `${path}?clientId=${clientId}`,
    ...(method === 'POST' ? { body: parameters } : {}),
    answers: 'json',
    credential: 'apiKey',
    sdk: { method: sdkMethod, clientId, parameters },
    command: [group, name, ...flags, '--world', clientId],
  };
}

/** The world that is tried first: the one that came online last. */
export function likeliest(worlds: readonly KnownClient[]): KnownClient | undefined {
  const since = ({ connectedSince, isOnline }: KnownClient) => (isOnline && connectedSince) || '';
  return worlds.toSorted((one, other) => since(other).localeCompare(since(one)))[0];
}
