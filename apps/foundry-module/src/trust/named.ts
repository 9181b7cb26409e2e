import type { OperationName } from '@tabletop-relay/module-sdk';
import { findByUuid, findCombat, isName, seenSelection } from '../operations/acting.ts';
import type { ActingUser } from '../operations/acting.ts';
import { everythingIn } from '../operations/documents/structure.ts';
import { canvasDocumentsNamed } from '../operations/scenes/canvas-documents.ts';
import { findScene } from '../operations/scenes/places.ts';
import { userNamed } from '../operations/table/users.ts';
import type { Actor, FoundryDocument, Token } from '../tabletop/documents.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { operationFacts } from './operation-facts.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** Fields that name documents by UUID: one, or a list. */
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
  'uuids',
  'tokenUuids',
];

/** Fields that name an actor, each with that which counts before it. */
const actorFields = [
  ['actorName', 'actorUuid'],
  ['sourceActorName', 'sourceActorUuid'],
  ['targetActorName', 'targetActorUuid'],
] as const;

/**
 * What a call is done to, as its handler will find it: by UUID, id or name, as what is selected, and what is meant where nothing is named. A
 * person who is asked sees these, and an answer is for these alone. Those that are not there are the handler's to refuse.
 */
export async function documentsNamed(
  name: OperationName,
  parameters: Parameters,
  user: ActingUser,
): Promise<FoundryDocument[]> {
  const named = [
    ...(await byUuid(parameters)),
    ...byActorName(parameters),
    ...sought(() => selectionOf(user, parameters)),
    ...sought(() => byGroup(name, parameters)),
  ];
  const all = [...named, ...heldBy(named, parameters)];
  return [...new Map(all.map((one) => [one.uuid, one])).values()];
}

/** What lies in compendia is asked of the server, and so only where it is the one thing that is named. */
async function byUuid(parameters: Parameters): Promise<FoundryDocument[]> {
  const uuids = uuidFields.flatMap((field) =>
    listOf(parameters[field]).filter((uuid) => field === 'uuid' || !uuid.startsWith('Compendium.')),
  );
  const found = await Promise.all(uuids.map(findByUuid));
  return found.filter((one) => one !== null);
}

const byActorName = (parameters: Parameters): FoundryDocument[] =>
  actorFields.flatMap(([field, stronger]) => {
    const wanted = parameters[field];
    if (typeof wanted !== 'string' || parameters[stronger] !== undefined) return [];
    return tabletop.game.actors.find((actor) => isName(actor, wanted)) ?? [];
  });

/** What is selected, where nothing that counts before it is named. */
function selectionOf(user: ActingUser, parameters: Parameters): FoundryDocument[] {
  const isNamed = ['uuid', 'actorUuid', 'actorName', 'toUuid'].some((one) => parameters[one] !== undefined);
  const isMeant = (parameters['selected'] === true && !isNamed) || parameters['startWithSelected'] === true;
  if (!isMeant) return [];
  const tokens = seenSelection(user);
  return parameters['actor'] === true ? tokens.flatMap(({ actor }) => actor ?? []) : tokens;
}

/** By what the operations of a scope have in common, with the one that is meant where they name none. */
function byGroup(operation: OperationName, parameters: Parameters): FoundryDocument[] {
  const { game } = tabletop;
  const text = (field: string) => textOf(parameters[field]);
  const [name, playlist, folder] = [text('name'), text('playlistId'), text('folderId')];
  switch (operationFacts[operation].scope) {
    case 'encounter:manage':
      return operation === 'start-encounter' ? [] : [findCombat(text('encounterId'))];
    case 'scene:write':
      return operation === 'create-scene'
        ? []
        : [findScene({ sceneId: text('sceneId'), name, viewed: parameters['viewed'] === true })];
    case 'canvas:write':
      return operation === 'move-token' ? listed(tokenNamed(parameters)) : canvasDocumentsNamed(parameters);
    case 'user:write':
      return operation === 'create-user' ? [] : [userNamed({ id: text('id'), name })];
    case 'chat:write':
      return listed(game.messages.get(text('messageId') ?? ''));
    case 'playlist:control':
      return listed(
        playlist === undefined
          ? game.playlists.find((one) => isName(one, text('playlistName')))
          : game.playlists.get(playlist),
      );
    case 'structure:write':
      return operation === 'delete-folder' && folder !== undefined
        ? everythingIn(folder, Boolean(parameters['deleteAll']))
        : listed(game.folders.get(text('parentFolderId') ?? ''));
    case 'entity:write':
      return operation === 'create' ? listed(overwritten(parameters)) : [];
    default:
      return [];
  }
}

function tokenNamed({ uuid, name, sceneId }: Parameters): FoundryDocument | undefined {
  if (uuid !== undefined || typeof name !== 'string') return undefined;
  return findScene({ sceneId: textOf(sceneId) }).tokens.find((one) => isName(one, name));
}

/** The document that `create` writes over. */
export function overwritten({ entityType, data, override }: Parameters): FoundryDocument | undefined {
  const { _id: id } = (data ?? {}) as { _id?: unknown };
  if (!override || typeof entityType !== 'string' || typeof id !== 'string') return undefined;
  return tabletop.game.collections.get(entityType)?.get(id);
}

/** Items and effects of the actors that are named, where their ids or names stand alone. */
function heldBy(named: readonly FoundryDocument[], parameters: Parameters): FoundryDocument[] {
  const { itemUuid, itemName, effectId } = parameters;
  return named.flatMap((one) => {
    const actor = one.documentName === 'Token' ? (one as Token).actor : one;
    if (actor?.documentName !== 'Actor') return [];
    const { items, effects } = actor as Actor;
    const item =
      typeof itemUuid === 'string'
        ? items.get(itemUuid)
        : typeof itemName === 'string'
          ? items.find((held) => isName(held, itemName))
          : undefined;
    const effect = typeof effectId === 'string' ? effects.get(effectId) : undefined;
    return [...listed(item), ...listed(effect)];
  });
}

const listed = (one: FoundryDocument | undefined): FoundryDocument[] => (one ? [one] : []);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function listOf(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string');
}

function sought(find: () => FoundryDocument[]): FoundryDocument[] {
  try {
    return find();
  } catch {
    return [];
  }
}
