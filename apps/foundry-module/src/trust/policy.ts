import type { Scope } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { operationFacts } from './operation-facts.ts';

/** What the game master lets programs do, as it lies in a setting of the world: all browsers of the world share it. */

export type Level = 'allow' | 'ask' | 'deny';

export const presetNames = ['watch', 'play', 'everything'] as const;
export type PresetName = (typeof presetNames)[number];

/** They reach beyond the tabletop's own rules, so every preset denies them, and each is allowed by itself. */
export const guardedScopes: readonly Scope[] = [
  'macro:execute',
  'macro:write',
  'script:execute',
  'user:write',
  'file:write',
];

/** What runs code: nothing allows it as a whole, each code is allowed by itself. */
export const codeScopes: readonly Scope[] = ['macro:execute', 'script:execute'];

/** Code that a program may run without a question. */
export interface ApprovedCode {
  /** SHA-256 of its text, as hexadecimal digits. */
  hash: string;
  /** Whom it is approved for, by the relay's pseudonym. */
  callerId: string;
  /** How that program was called then: shown, and nothing hangs on it. */
  callerName: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface Policy {
  preset: PresetName;
  /** What differs from the preset. */
  scopes: Partial<Record<Scope, Level>>;
  /** What differs for one operation from its scope. */
  operations: Partial<Record<OperationName, Level>>;
  code: readonly ApprovedCode[];
}

export const mostCode = 200;

export const firstPolicy: Policy = { preset: 'play', scopes: {}, operations: {}, code: [] };

const names = Object.keys(operationFacts) as OperationName[];
/** The scopes that a policy is about: those of operations, that which changes of macros need besides, and that of events. */
export const policyScopes: readonly Scope[] = [
  ...new Set<Scope>([
    ...names.map((name) => operationFacts[name].scope),
    ...guardedScopes,
    'events:subscribe',
  ]),
];

/** The operations of a scope that may differ from it. */
export const operationsOf = (scope: Scope): OperationName[] =>
  guardedScopes.includes(scope) ? [] : names.filter((name) => operationFacts[name].scope === scope);

const isReading = (scope: Scope): boolean =>
  scope === 'events:subscribe' ||
  names.every((name) => operationFacts[name].scope !== scope || !operationFacts[name].effect);

/** What is played with. */
const played: readonly Scope[] = [
  'roll:execute',
  'encounter:manage',
  'sys5e:write',
  'chat:write',
  'effects:write',
  'canvas:write',
  'canvas:control',
  'playlist:control',
];

/** Where playing differs by operation: things from hand to hand are allowed, and what takes away for good asks. */
const playedOperations: Partial<Record<OperationName, Level>> = {
  give: 'allow',
  increase: 'allow',
  decrease: 'allow',
  kill: 'allow',
  'chat-delete': 'ask',
  'chat-flush': 'ask',
  'delete-canvas-document': 'ask',
};

/** The level that a preset has for a scope. */
function presetLevel(preset: PresetName, scope: Scope): Level {
  if (guardedScopes.includes(scope)) return 'deny';
  if (preset === 'everything' || isReading(scope)) return 'allow';
  if (preset === 'watch') return 'deny';
  return played.includes(scope) ? 'allow' : 'ask';
}

export const levelOfScope = ({ preset, scopes }: Policy, scope: Scope): Level =>
  scopes[scope] ?? presetLevel(preset, scope);

/** The level of an operation by itself, without what its data need besides. A level that is set for its scope counts before the preset's for it. */
export function levelOfOperation(policy: Policy, name: OperationName): Level {
  const { preset, scopes, operations } = policy;
  const { scope } = operationFacts[name];
  const given = operations[name];
  if (given !== undefined) return given;
  const isPreset = scopes[scope] === undefined && preset === 'play';
  return (isPreset ? playedOperations[name] : undefined) ?? levelOfScope(policy, scope);
}

const strictness: readonly Level[] = ['allow', 'ask', 'deny'];

/** The strictest of what an operation, those that it stands for, and the scopes that its data need besides are given. */
export function levelOfCall(
  policy: Policy,
  name: OperationName,
  { scopes = [], as = [] }: { scopes?: readonly Scope[]; as?: readonly OperationName[] } = {},
): Level {
  const levels = [
    ...[name, ...as].map((one) => levelOfOperation(policy, one)),
    ...scopes.map((scope) => levelOfScope(policy, scope)),
  ];
  return levels.reduce((one, other) => (strictness.indexOf(other) > strictness.indexOf(one) ? other : one));
}

/** The levels that a scope can have: events cannot wait for an answer, and code is never allowed as a whole. */
export function levelsOf(scope: Scope): readonly Level[] {
  if (scope === 'events:subscribe') return ['allow', 'deny'];
  return codeScopes.includes(scope) ? ['ask', 'deny'] : strictness;
}

/**
 * Reads the setting, which any script of a game master's page may have written. What is not known is denied, and a scope that is guarded
 * has no level by which it could be passed.
 */
export function readPolicy(given: unknown): Policy {
  if (given === undefined || given === null) return firstPolicy;
  if (!isRecord(given)) return { ...firstPolicy, preset: 'watch' };
  if (Object.keys(given).length === 0) return firstPolicy;
  const preset = presetNames.find((name) => name === given['preset']) ?? 'watch';
  const scopes = pick(given['scopes'], policyScopes, levelsOf);
  const free = names.filter((name) => !guardedScopes.includes(operationFacts[name].scope));
  const operations = pick(given['operations'], free, (name) => levelsOf(operationFacts[name].scope));
  const code = (Array.isArray(given['code']) ? given['code'] : []).filter(isApproved);
  return { preset, scopes, operations, code: code.slice(-mostCode) };
}

function pick<N extends string>(
  given: unknown,
  known: readonly N[],
  levels: (name: N) => readonly Level[],
): Partial<Record<N, Level>> {
  if (!isRecord(given)) return {};
  const found = known.flatMap((name) => {
    if (!Object.hasOwn(given, name)) return [];
    return [[name, levels(name).find((level) => level === given[name]) ?? 'deny'] as const];
  });
  return Object.fromEntries(found) as Partial<Record<N, Level>>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isApproved = (value: unknown): value is ApprovedCode =>
  isRecord(value) &&
  ['hash', 'callerId', 'callerName'].every((key) => typeof value[key] === 'string') &&
  value['callerId'] !== '' &&
  typeof value['at'] === 'number';
