import { packageId } from '../../../module-manifest.ts';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Playlist, PlaylistSound } from '../../tabletop/documents.ts';
import { assertMaster, isName, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { may } from '../permissions.ts';

export const playlists = {
  'get-playlists'(_parameters, { user }) {
    const seen = tabletop.game.playlists.filter((playlist) => may(user, playlist, 'OBSERVER'));
    return { data: { playlists: seen.map(tell) } };
  },

  async 'playlist-play'({ soundId, soundName, ...reference }, { user }) {
    const playlist = ownPlaylist(user, reference);
    const sound = namedSound(playlist, soundId, soundName);
    await (sound ? playlist.playSound(sound) : playlist.playAll());
    return { data: { playlist: tell(playlist) } };
  },

  async 'playlist-stop'(reference, { user }) {
    const playlist = ownPlaylist(user, reference);
    await playlist.stopAll();
    return { data: { playlist: tell(playlist) } };
  },

  async 'playlist-next'(reference, { user }) {
    const playlist = ownPlaylist(user, reference);
    await playlist.playNext();
    return { data: { playlist: tell(playlist) } };
  },

  async 'playlist-volume'({ soundId, soundName, volume, ...reference }, { user }) {
    const playlist = ownPlaylist(user, reference);
    const sound = namedSound(playlist, soundId, soundName);
    const changed = sound ? [sound] : playlist.sounds.contents;
    const changes = changed.map(({ id }) => ({ _id: id, volume }));
    if (changes.length > 0) await playlist.updateEmbeddedDocuments('PlaylistSound', changes);
    return { data: { playlist: tell(playlist) } };
  },

  /** Heard in every browser. */
  async 'play-sound'({ src, volume = 0.5, loop = false }, { user }) {
    assertMaster(user, 'play sounds');
    const { AudioHelper } = tabletop.foundry.audio;
    // A tab that nobody has touched plays nothing yet, and would keep the call.
    void AudioHelper.play({ src, volume, loop, autoplay: true }, true).catch(() => undefined);
    return Promise.resolve({ data: { src, volume, loop } });
  },

  /** The tabletop itself has no way to stop a sound in the other browsers, so that they hear it from this module. */
  async 'stop-sound'({ src }, { user }) {
    assertMaster(user, 'stop sounds');
    tabletop.game.socket.emit(channel, { stopSound: src ?? null });
    return { data: { stopped: await stopSounds(src), src: src ?? null } };
  },
} satisfies SomeHandlers;

const channel = `module.${packageId}`;

/** Stops sounds here that another game master's browser stops; who sent it says the server, in the last place. */
export function hearStops(): void {
  tabletop.game.socket.on(channel, (message: unknown, senderId: unknown) => {
    const sender = typeof senderId === 'string' ? tabletop.game.users.get(senderId) : undefined;
    if (sender?.isGM !== true || typeof message !== 'object' || message === null) return;
    const { stopSound: src } = message as { stopSound?: unknown };
    if (src === null || typeof src === 'string') void stopSounds(src ?? undefined);
  });
}

async function stopSounds(src: string | undefined): Promise<number> {
  const playing = [...tabletop.game.audio.playing.values()].filter(
    (sound) => src === undefined || sound.src === src || sound.src.endsWith(`/${src}`),
  );
  await Promise.all(playing.map((sound) => sound.stop()));
  return playing.length;
}

interface PlaylistReference {
  playlistId?: string | undefined;
  playlistName?: string | undefined;
}

/** A playlist by id or name, for a game master alone. */
function ownPlaylist(user: ActingUser, { playlistId, playlistName }: PlaylistReference): Playlist {
  assertMaster(user, 'control playlists');
  const { playlists: all } = tabletop.game;
  const found = playlistId === undefined ? all.find((one) => isName(one, playlistName)) : all.get(playlistId);
  if (!found) throw notFound('playlist', playlistId ?? playlistName ?? '');
  return found;
}

function namedSound(
  playlist: Playlist,
  id: string | undefined,
  name: string | undefined,
): PlaylistSound | undefined {
  if (id === undefined && name === undefined) return undefined;
  const sound = id === undefined ? playlist.sounds.find((one) => isName(one, name)) : playlist.sounds.get(id);
  if (!sound) throw notFound('sound', `${id ?? name} in ${playlist.name}`);
  return sound;
}

function tell(playlist: Playlist) {
  const { id, name, description, playing, mode, fade, folder, sorting, sounds } = playlist;
  return {
    id,
    name,
    playing,
    fade: fade ?? null,
    description,
    mode,
    folder: folder?.id ?? null,
    sorting,
    sounds: sounds.map((sound) => ({
      id: sound.id,
      name: sound.name,
      playing: sound.playing,
      fade: sound.fade ?? null,
      path: sound.path || null,
      volume: sound.volume,
      repeat: sound.repeat,
    })),
  };
}
