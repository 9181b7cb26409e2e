import type { Effect } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';
import type { Parameters } from './named.ts';

type OwnOperations = Readonly<Partial<Record<Effect, OperationName>>>;

const onCanvas: OwnOperations = {
  adds: 'create-canvas-document',
  changes: 'update-canvas-document',
  destroys: 'delete-canvas-document',
};
const inPlaylists: OwnOperations = { changes: 'playlist-play' };

/** The kinds of documents that have operations of their own, by what these do. */
const ofKind: Readonly<Record<string, OwnOperations>> = {
  Scene: { adds: 'create-scene', changes: 'update-scene', destroys: 'delete-scene' },
  ChatMessage: { adds: 'chat-send', changes: 'chat-send', destroys: 'chat-delete' },
  ActiveEffect: { adds: 'add-effect', changes: 'add-effect', destroys: 'remove-effect' },
  Folder: { adds: 'create-folder', changes: 'create-folder', destroys: 'delete-folder' },
  Combat: { adds: 'start-encounter', changes: 'next-turn', destroys: 'end-encounter' },
  Combatant: { adds: 'add-to-encounter', changes: 'add-to-encounter', destroys: 'remove-from-encounter' },
  Playlist: inPlaylists,
  PlaylistSound: inPlaylists,
  Token: onCanvas,
  Tile: onCanvas,
  Drawing: onCanvas,
  AmbientLight: onCanvas,
  AmbientSound: onCanvas,
  Note: onCanvas,
  MeasuredTemplate: onCanvas,
  Wall: onCanvas,
  Region: onCanvas,
};

/** Kinds by the names of the lists in which data bring them. */
const ofList: Readonly<Record<string, string>> = {
  effects: 'ActiveEffect',
  combatants: 'Combatant',
  tokens: 'Token',
  tiles: 'Tile',
  drawings: 'Drawing',
  lights: 'AmbientLight',
  sounds: 'AmbientSound',
  notes: 'Note',
  templates: 'MeasuredTemplate',
  walls: 'Wall',
  regions: 'Region',
};

/** The parts of a path; keys that delete (`-=`) or replace (`==`) name what stands behind the sign. */
export const partsOf = (path: string): string[] =>
  path.split('.').map((part) => part.replace(/^(-=|==)+/, '').trim());

/**
 * The operations that a call is another way to do, so that what a game master denies of them holds: documents of their kinds are written, or
 * come with the data of others. What the tabletop's own rules make of a roll or a use belongs to that.
 */
export function ownOperations(
  name: OperationName,
  { kinds, effect, parameters }: { kinds: Iterable<string>; effect: Effect; parameters: Parameters },
): OperationName[] {
  if (name === 'kill') return ['add-effect', 'add-to-encounter'];
  const { data, effectData, override } = parameters;
  const isPlainCreate = name.startsWith('create') && !override;
  const within: readonly Effect[] = isPlainCreate ? ['adds'] : ['adds', 'changes', 'destroys'];
  const named = new Set(kinds);
  const brought = kindsWithin(data ?? effectData, Boolean(override)).map((kind) =>
    // Playlists have a list of that name too.
    kind === 'AmbientSound' && named.has('Playlist') ? 'PlaylistSound' : kind,
  );
  const found = [
    ...[...named].map((kind) => ofKind[kind]?.[effect]),
    ...brought.flatMap((kind) => within.map((one) => ofKind[kind]?.[one])),
  ];
  return [...new Set(found.flatMap((one) => (one === undefined || one === name ? [] : [one])))];
}

/** Kinds of documents in the lists of data; empty lists bring none, unless they take the place of what is there. */
function kindsWithin(value: unknown, isWhole: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => kindsWithin(one, isWhole));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([path, inner]) => {
    const parts = partsOf(path);
    // What a rules system or a module keeps under such names are no documents.
    if (parts[0] === 'system' || parts[0] === 'flags') return [];
    const isEmpty = Array.isArray(inner) && inner.length === 0 && !isWhole;
    const named = isEmpty ? [] : parts.flatMap((part) => (Object.hasOwn(ofList, part) ? ofList[part]! : []));
    return [...named, ...kindsWithin(inner, isWhole)];
  });
}
