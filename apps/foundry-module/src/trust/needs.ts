import { carriesScript } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { packageId } from '../../module-manifest.ts';
import { findByUuid, isMaster } from '../operations/acting.ts';
import type { ActingUser } from '../operations/acting.ts';
import { targetsOf } from '../operations/documents/targets.ts';
import { runsCode } from '../operations/guards/html.ts';
import type { FoundryDocument, Macro } from '../tabletop/documents.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { operationFacts } from './operation-facts.ts';

/** What a call takes of the game master's trust, by what it names and brings. */
export interface Needs {
  /** Beside the operation's own scope. */
  scopes: readonly Scope[];
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
export async function needsOf(
  name: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  user: ActingUser,
): Promise<Needs> {
  const { effect } = operationFacts[name];
  const named = await namedBy(parameters);
  const documents = general.has(name) ? await changedBy(parameters, user) : [];
  const uuids = [...new Set([...named, ...documents].map(({ uuid }) => uuid))];
  const targets = [...new Set([...named, ...documents].map(labelOf)), ...plainNames(parameters)];
  if (!effect) return { scopes: [], code: undefined, targets, uuids };
  assertNotOurs(parameters);
  const kinds = new Set([...documents.flatMap(kindsOf), ...kindsMade(name, parameters)]);
  const scopes = [...kinds].flatMap((kind) => scopeOfKind[kind] ?? []);
  const code = codeOf(name, { parameters, kinds, user, macro: named.find(isMacro) });
  const isRun = code !== undefined && operationFacts[name].scope !== 'macro:execute';
  return { scopes: isRun ? [...scopes, 'script:execute'] : scopes, code, targets, uuids };
}

/** Fields that name documents by UUID. */
const uuidFields = [
  'uuid',
  'actorUuid',
  'fromUuid',
  'toUuid',
  'sourceActorUuid',
  'targetActorUuid',
  'itemUuid',
  'abilityUuid',
  'targetUuid',
];

/** What a call names by UUID; what lies in compendia is asked of the server, and so only where it is the one thing that is named. */
async function namedBy(parameters: Readonly<Record<string, unknown>>): Promise<FoundryDocument[]> {
  const uuids = uuidFields.flatMap((field) => {
    const uuid = parameters[field];
    const isNear = typeof uuid === 'string' && (field === 'uuid' || !uuid.startsWith('Compendium.'));
    return isNear ? [uuid] : [];
  });
  const found = await Promise.all(uuids.map(findByUuid));
  return found.filter((one) => one !== null);
}

/** The documents that one of the general operations changes; those that are not there are the handler's to refuse. */
async function changedBy(
  parameters: Readonly<Record<string, unknown>>,
  user: ActingUser,
): Promise<FoundryDocument[]> {
  try {
    return await targetsOf(user, parameters);
  } catch {
    return [];
  }
}

/** The kind of a document and of those that it lies in. */
function kindsOf({ documentName, parent }: FoundryDocument): string[] {
  return [documentName, ...(parent ? kindsOf(parent) : [])];
}

/** Kinds that an operation makes or takes away without naming a document of them. */
function kindsMade(name: OperationName, parameters: Readonly<Record<string, unknown>>): string[] {
  const { entityType, folderId } = parameters;
  if (name === 'create' && typeof entityType === 'string') return [entityType];
  // With a folder of macros they go too.
  if (name !== 'delete-folder' || typeof folderId !== 'string') return [];
  return [tabletop.game.folders.get(folderId)?.type ?? ''];
}

interface Written {
  parameters: Readonly<Record<string, unknown>>;
  kinds: ReadonlySet<string>;
  user: ActingUser;
  macro: Macro | undefined;
}

/** The text that would run: a script, a macro's, or data that carry something which a tabletop runs. */
function codeOf(name: OperationName, { parameters, kinds, user, macro }: Written): string | undefined {
  if (name === 'execute-js') return String(parameters['script']);
  if (name === 'macro-execute') return macro?.command;
  const { data: given, effectData, entityType, ...more } = parameters;
  const data = given ?? effectData;
  // The code of a macro is what `macro:write` is for.
  const looked = kinds.has('Macro') ? withoutCommand(data) : data;
  const isRunning = carriesScript(looked) || (isMaster(user) && runsCode(looked));
  const isBehaviour = kinds.has('RegionBehavior') || carriesScript({ [String(more['attribute'])]: 'a' });
  if (!isRunning && !isBehaviour) return undefined;
  return JSON.stringify({ ...more, _scopes: undefined, entityType, data }, withoutPassword, 1);
}

const withoutPassword = (key: string, value: unknown): unknown => (key === 'password' ? '***' : value);

const withoutCommand = (data: unknown): unknown =>
  typeof data === 'object' && data !== null ? { ...data, command: '' } : data;

const isMacro = (one: FoundryDocument): one is Macro => one.documentName === 'Macro';

const labelOf = ({ name, documentName, uuid }: FoundryDocument): string => `${documentName} ${name || uuid}`;

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

const plainNames = (parameters: Readonly<Record<string, unknown>>): string[] =>
  nameFields.flatMap((field) => {
    const value = parameters[field];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });

/**
 * Refuses every change that names this module's own flags or settings, however the path is written: nested or dotted, to set, to replace
 * or to delete. Nothing of the policy lies in a flag, and none shall come to.
 */
function assertNotOurs(parameters: Readonly<Record<string, unknown>>): void {
  if (kindsMade('create', parameters).includes('Setting') || namesOurs(parameters)) {
    throw new OperationRefused(
      'No program changes settings of the world, or what belongs to the module of the relay',
      'not_allowed',
    );
  }
}

/** Fields of data whose value is a path, or an attribute that is one. */
const pathFields = new Set(['key', 'attribute', 'path']);

function namesOurs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      isOurs(key) || (pathFields.has(key) && typeof inner === 'string' && isOurs(inner)) || namesOurs(inner),
  );
}

/** Keys that delete (`-=`) or replace (`==`) name what stands behind the sign. */
const isOurs = (path: string): boolean =>
  path.split('.').some((part) => part.replace(/^(-=|==)+/, '').trim() === packageId);
