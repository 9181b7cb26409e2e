import { carriesScript } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { packageId } from '../../module-manifest.ts';
import { isMaster } from '../operations/acting.ts';
import type { ActingUser } from '../operations/acting.ts';
import { runsCode } from '../operations/guards/html.ts';
import { valueOf } from '../operations/permissions.ts';
import type { FoundryDocument, Macro } from '../tabletop/documents.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { documentsNamed, overwritten } from './named.ts';
import type { Parameters } from './named.ts';
import { operationFacts } from './operation-facts.ts';
import { ownOperations, partsOf } from './own-operations.ts';

/** What a call takes of the game master's trust, by what it names and brings. */
export interface Needs {
  /** Beside the operation's own scope. */
  scopes: readonly Scope[];
  /** Operations that it is another way to do: their levels count too. */
  as: readonly OperationName[];
  /** What would run, in full; undefined where nothing does. */
  code: string | undefined;
  /** Whom or what it is done to, in words. */
  targets: readonly string[];
  /** The UUIDs of those that are documents: what is selected may be others by the time that somebody has answered. */
  uuids: readonly string[];
}

/** Kinds of documents that reach beyond the tabletop's own rules. */
const scopeOfKind: Readonly<Record<string, Scope>> = {
  Macro: 'macro:write',
  User: 'user:write',
  RegionBehavior: 'script:execute',
};

/** Operations that take any document. */
const general: ReadonlySet<OperationName> = new Set(['update', 'delete', 'increase', 'decrease', 'create']);

/** Looks at what a command would do. Refuses what no policy allows. */
export async function needsOf(name: OperationName, parameters: Parameters, user: ActingUser): Promise<Needs> {
  const { effect } = operationFacts[name];
  const named = await documentsNamed(name, parameters, user);
  const uuids = named.map(({ uuid }) => uuid);
  const targets = named.length > 0 ? named.map(labelOf) : plainNames(parameters);
  if (!effect) return { scopes: [], as: [], code: undefined, targets, uuids };
  assertNotOurs(parameters);
  const changed = general.has(name) ? named.map(({ documentName }) => documentName) : [];
  const kinds = new Set([...changed, ...kindsMade(name, parameters)]);
  const scopes = [...kinds].flatMap((kind) => scopeOfKind[kind] ?? []);
  const code = codeOf(name, { parameters, kinds, user, macro: named.find(isMacro), uuids });
  const isRun = code !== undefined && operationFacts[name].scope !== 'macro:execute';
  return {
    scopes: isRun ? [...scopes, 'script:execute'] : scopes,
    as: [
      ...(isUpdate(name, parameters) ? (['update'] as const) : []),
      ...ownOperations(name, { kinds, effect, parameters }),
    ],
    code,
    targets,
    uuids,
  };
}

/** Whether it rewrites what is there as `update` does: a document under its id, who owns one, or an actor by way of its token. */
const isUpdate = (name: OperationName, parameters: Parameters): boolean =>
  (name === 'create' && overwritten(parameters) !== undefined) ||
  (!name.startsWith('create') && rewriting.some((part) => namesPart(parameters, part)));

const rewriting = ['ownership', 'delta', 'actorData'];

/** Kinds that an operation makes or takes away without naming a document of them. */
function kindsMade(name: OperationName, parameters: Parameters): string[] {
  const { entityType, folderId, deleteAll } = parameters;
  if (name === 'create' && typeof entityType === 'string') return [entityType];
  // With a folder of macros they go too.
  if (name !== 'delete-folder' || typeof folderId !== 'string' || !deleteAll) return [];
  return [tabletop.game.folders.get(folderId)?.type ?? ''];
}

interface Written {
  parameters: Parameters;
  kinds: ReadonlySet<string>;
  user: ActingUser;
  macro: Macro | undefined;
  uuids: readonly string[];
}

/**
 * The text that would run: a script, a macro's, or data that carry something which a tabletop runs, with what it is done to and as whom, because
 * an approval is for this text.
 */
function codeOf(name: OperationName, { parameters, kinds, user, macro, uuids }: Written): string | undefined {
  if (name === 'execute-js') return String(parameters['script']);
  if (name === 'macro-execute') return macro?.command;
  const { data: given, effectData, entityType, ...more } = parameters;
  const data = given ?? effectData;
  // The code of a macro is what `macro:write` is for.
  const looked = kinds.has('Macro') ? withoutCommand(data) : data;
  const isRunning = carriesScript(looked) || (isMaster(user) && runsCode(looked));
  const isBehaviour = kinds.has('RegionBehavior') || carriesScript({ [String(more['attribute'])]: 'a' });
  if (!isRunning && !isBehaviour) return undefined;
  const told = { ...more, _scopes: undefined, entityType, data, operation: name, on: uuids, as: user?.id };
  return JSON.stringify(told, withoutPassword, 1);
}

const withoutPassword = (key: string, value: unknown): unknown => (key === 'password' ? '***' : value);

const withoutCommand = (data: unknown): unknown =>
  typeof data === 'object' && data !== null ? { ...data, command: '' } : data;

const isMacro = (one: FoundryDocument): one is Macro => one.documentName === 'Macro';

/** No name is so long that it hides those after it. */
const longestName = 80;

function labelOf(document: FoundryDocument): string {
  const { documentName, uuid } = document;
  // Walls and messages have none.
  const name = valueOf(document, 'name');
  const words = typeof name === 'string' && name !== '' ? name : uuid;
  const isLong = words.length > longestName;
  return `${documentName} ${isLong ? `${words.slice(0, longestName)}… (${words.length} letters)` : words}`;
}

/** Fields that say in words what a call is about. */
const nameFields = [
  'actorName',
  'itemName',
  'abilityName',
  'spellName',
  'targetName',
  'sourceActorName',
  'targetActorName',
  'playlistName',
  'soundName',
  'filename',
  'name',
];

const plainNames = (parameters: Parameters): string[] =>
  nameFields.flatMap((field) => {
    const value = parameters[field];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });

/**
 * Refuses every change that names this module's own flags or settings, however the path is written: nested or dotted, to set, to replace
 * or to delete. Nothing of the policy lies in a flag, and none shall come to.
 */
function assertNotOurs(parameters: Parameters): void {
  if (kindsMade('create', parameters).includes('Setting') || namesPart(parameters, packageId)) {
    throw new OperationRefused(
      'No program changes settings of the world, or what belongs to the module of the relay',
      'not_allowed',
    );
  }
}

/** Fields of data whose value is a path, or an attribute that is one. */
const pathFields = new Set(['key', 'attribute', 'path']);

/** Whether a path in the data, nested or dotted, goes through that part. */
function namesPart(value: unknown, part: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      hasPart(key, part) ||
      (pathFields.has(key) && typeof inner === 'string' && hasPart(inner, part)) ||
      namesPart(inner, part),
  );
}

const hasPart = (path: string, wanted: string): boolean => partsOf(path).includes(wanted);
