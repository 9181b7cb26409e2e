import type { StoredDocument } from '../store/stored-document.ts';

interface Sound {
  name: string;
  path: string;
  repeat?: boolean;
  playing?: boolean;
}

/** A playlist and its sounds, as documents by their UUIDs. */
function playlist(
  id: string,
  about: { name: string; description: string; mode: number; playing: boolean },
  sounds: Readonly<Record<string, Sound>>,
): Record<string, StoredDocument> {
  const uuid = `Playlist.${id}`;
  const inner = Object.entries(sounds).map(([soundId, sound]): [string, StoredDocument] => [
    `${uuid}.PlaylistSound.${soundId}`,
    {
      kind: 'PlaylistSound',
      parent: uuid,
      data: { volume: 0.5, repeat: false, fade: null, playing: false, ...sound },
    },
  ]);
  const data = { folder: null, flags: {}, fade: null, sorting: 'm', ownership: { default: 0 }, ...about };
  return { [uuid]: { kind: 'Playlist', parent: null, data }, ...Object.fromEntries(inner) };
}

/** Sounds of the Sunken Chapel: the water from the start, the rest when somebody plays it. */
export const playlists: Readonly<Record<string, StoredDocument>> = {
  ...playlist(
    'depths',
    { name: 'The depths', description: 'Under and around the chapel', mode: 0, playing: true },
    {
      drips: { name: 'Dripping water', path: 'sounds/drips.ogg', repeat: true, playing: true },
      chant: { name: 'Distant chant', path: 'sounds/chant.ogg' },
      bell: { name: 'The drowned bell', path: 'sounds/bell.ogg' },
    },
  ),
  ...playlist(
    'combat',
    { name: 'Combat', description: 'One piece after another, shuffled', mode: 1, playing: false },
    {
      blades: { name: 'Blades in the dark water', path: 'music/blades.ogg' },
      claws: { name: 'Claws', path: 'music/claws.ogg' },
    },
  ),
};
