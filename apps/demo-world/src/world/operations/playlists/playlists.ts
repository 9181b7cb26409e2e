import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import { Refusal } from '../../refusal.ts';
import { changeDocument } from '../../store/change-documents.ts';
import { documentsOf, knownDocument } from '../../store/find-documents.ts';
import { levelOf, levels } from '../../store/permissions.ts';
import { flagAt, textAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { assertGm } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { modeOf, modes, nextSound, soundsToPlay } from './playing-order.ts';

export const playlists: OperationHandlers<
  'get-playlists' | 'playlist-play' | 'playlist-stop' | 'playlist-next' | 'playlist-volume'
> = {
  'get-playlists': (tx) => ({
    data: {
      playlists: documentsOf(tx.state, 'Playlist')
        .filter((playlist) => levelOf(tx.state, tx.user, playlist) >= levels.observer)
        .map((playlist) => told(tx, playlist)),
    },
  }),

  'playlist-play'(tx, parameters) {
    const playlist = ownPlaylist(tx, parameters);
    const sounds = soundsOf(tx, playlist);
    const sound = namedSound(sounds, parameters);
    const isAlone = modeOf(playlist) === modes.sequential || modeOf(playlist) === modes.shuffled;
    const others = sounds.filter((one) => flagAt(one.data, 'playing', false));
    if (sound) play(tx, playlist, isAlone ? [sound] : [...others, sound]);
    else play(tx, playlist, soundsToPlay(tx, playlist, sounds));
    return result(tx, playlist);
  },

  'playlist-stop'(tx, parameters) {
    const playlist = ownPlaylist(tx, parameters);
    play(tx, playlist, []);
    return result(tx, playlist);
  },

  'playlist-next'(tx, parameters) {
    const playlist = ownPlaylist(tx, parameters);
    const next = nextSound(tx, playlist, soundsOf(tx, playlist));
    if (next) play(tx, playlist, [next]);
    return result(tx, playlist);
  },

  'playlist-volume'(tx, { volume, ...parameters }) {
    const playlist = ownPlaylist(tx, parameters);
    const sounds = soundsOf(tx, playlist);
    const sound = namedSound(sounds, parameters);
    for (const one of sound ? [sound] : sounds) changeDocument(tx, one, { volume });
    return result(tx, playlist);
  },
};

interface PlaylistReference {
  playlistId?: string | undefined;
  playlistName?: string | undefined;
}

interface SoundReference {
  soundId?: string | undefined;
  soundName?: string | undefined;
}

/** A playlist by id or name, for a game master alone. */
function ownPlaylist(tx: Transaction, { playlistId, playlistName = '' }: PlaylistReference): FoundDocument {
  assertGm(tx, 'control playlists');
  if (playlistId !== undefined) return knownDocument(tx.state, `Playlist.${playlistId}`);
  const playlist = documentsOf(tx.state, 'Playlist').find((one) => isNamed(one, playlistName));
  if (!playlist) throw new Refusal('entity_not_found', `There is no playlist ${playlistName}`);
  return playlist;
}

function namedSound(
  sounds: readonly FoundDocument[],
  { soundId, soundName }: SoundReference,
): FoundDocument | undefined {
  if (soundId === undefined && soundName === undefined) return undefined;
  const sound = sounds.find((one) =>
    soundId === undefined ? isNamed(one, soundName ?? '') : idOf(one.uuid) === soundId,
  );
  if (!sound) throw new Refusal('entity_not_found', `There is no sound ${soundId ?? soundName} in it`);
  return sound;
}

/** Plays just these sounds of a playlist, which plays itself as long as one of them does. */
function play(tx: Transaction, playlist: FoundDocument, wanted: readonly FoundDocument[]): void {
  const uuids = new Set(wanted.map(({ uuid }) => uuid));
  for (const sound of soundsOf(tx, playlist)) change(tx, sound, uuids.has(sound.uuid));
  change(tx, playlist, uuids.size > 0);
}

function change(tx: Transaction, document: FoundDocument, playing: boolean): void {
  if (flagAt(document.data, 'playing', false) !== playing) changeDocument(tx, document, { playing });
}

/** The sounds of a playlist in its order: by name, or as they were added. */
function soundsOf({ state }: Transaction, { uuid, data }: FoundDocument): readonly FoundDocument[] {
  const sounds = documentsOf(state, 'PlaylistSound', uuid);
  const nameOf = (one: FoundDocument) => textAt(one.data, 'name', '');
  return data['sorting'] === 'm' ? sounds : sounds.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

function result(tx: Transaction, { uuid }: FoundDocument) {
  return { data: { playlist: told(tx, knownDocument(tx.state, uuid)) } };
}

function told(tx: Transaction, playlist: FoundDocument) {
  const { data } = playlist;
  return {
    ...toldBriefly(playlist),
    description: textAt(data, 'description', ''),
    mode: modeOf(playlist),
    folder: textAt(data, 'folder', '') || null,
    sorting: textAt(data, 'sorting', 'a'),
    sounds: soundsOf(tx, playlist).map((sound) => ({
      ...toldBriefly(sound),
      path: textAt(sound.data, 'path', '') || null,
      volume: numberAt(sound.data, 'volume') ?? 1,
      repeat: flagAt(sound.data, 'repeat', false),
    })),
  };
}

const toldBriefly = ({ uuid, data }: FoundDocument) => ({
  id: idOf(uuid),
  name: textAt(data, 'name', ''),
  playing: flagAt(data, 'playing', false),
  fade: numberAt(data, 'fade'),
});

function numberAt(data: Document, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' ? value : null;
}

const isNamed = ({ data }: FoundDocument, name: string): boolean =>
  textAt(data, 'name', '').toLowerCase() === name.toLowerCase();
