import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { name, nullable } from '../parameters.ts';

const fade = Type.Optional(nullable(Type.Number(), 'Milliseconds.'));

const playlist = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  playing: Type.Boolean(),
  mode: Type.Optional(
    nullable(Type.Number(), '-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once.'),
  ),
  fade,
  folder: Type.Optional(nullable(Type.String(), 'Id of the folder.')),
  sorting: Type.Optional(nullable(Type.String(), '`a` by name, `m` by hand.')),
  sounds: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      path: Type.Optional(nullable(Type.String(), 'Path or address of the file.')),
      playing: Type.Boolean(),
      volume: Type.Optional(nullable(Type.Number(), '0 to 1.')),
      repeat: Type.Optional(Type.Boolean()),
      fade,
    }),
  ),
});

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));

const reference = {
  playlistId: id('Id of the playlist.'),
  playlistName: Type.Optional(name('Name of the playlist, whatever its case.')),
};

const sound = {
  soundId: id('Id of a sound of the playlist.'),
  soundName: Type.Optional(name('Name of a sound of the playlist, whatever its case.')),
};

const identifiedBy = [['playlistId', 'playlistName']] as const;

const prefers = [['soundId', 'soundName']] as const;

const result = Type.Object({ data: Type.Object({ playlist }) });

const reasons = ['entity_not_found', 'permission_denied'] as const;

const gameMasterOnly = 'A user must be a game master.';

const drips = {
  id: 'drips',
  name: 'Dripping water',
  path: 'sounds/drips.ogg',
  playing: true,
  volume: 0.5,
  repeat: true,
  fade: null,
};

const depths = {
  id: 'depths',
  name: 'The depths',
  description: 'Under the chapel',
  playing: true,
  mode: 0,
  fade: null,
  folder: null,
  sorting: 'a',
  sounds: [drips],
};

export const playing = {
  'get-playlists': query({
    summary: 'List the playlists and what is playing',
    description:
      'Today’s modules show every user all of them. The answer grows with the world: thousands of sounds are some hundred kilobytes, and an answer above 16 MiB fails.',
    path: '/playlists',
    scope: 'playlist:read',
    userUnchecked: true,
    parameters: {},
    result: Type.Object({ data: Type.Object({ playlists: Type.Array(playlist) }) }),
    example: { parameters: {}, result: { data: { playlists: [depths] } } },
  }),
  'playlist-play': command({
    summary: 'Play a playlist, or one sound of it',
    description: `Without a sound it plays by the playlist’s own mode. ${gameMasterOnly}`,
    path: '/playlist/play',
    scope: 'playlist:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: { ...reference, ...sound },
    identifiedBy,
    prefers,
    result,
    reasons,
    example: { parameters: { playlistId: 'depths' }, result: { data: { playlist: depths } } },
  }),
  'playlist-stop': command({
    summary: 'Stop a playlist',
    description: gameMasterOnly,
    path: '/playlist/stop',
    scope: 'playlist:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: reference,
    identifiedBy,
    result,
    reasons,
    example: {
      parameters: { playlistName: 'The depths' },
      result: { data: { playlist: { ...depths, playing: false, sounds: [{ ...drips, playing: false }] } } },
    },
  }),
  'playlist-next': command({
    summary: 'Go on to the next sound of a playlist',
    description: gameMasterOnly,
    path: '/playlist/next',
    scope: 'playlist:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: reference,
    identifiedBy,
    result,
    reasons,
    example: { parameters: { playlistId: 'depths' }, result: { data: { playlist: depths } } },
  }),
  'playlist-volume': command({
    summary: 'Set the volume of a playlist, or of one sound of it',
    description: `Without a sound today’s modules set the volume of the playlist as a whole, which the answer does not show. ${gameMasterOnly}`,
    path: '/playlist/volume',
    scope: 'playlist:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: {
      ...reference,
      ...sound,
      volume: Type.Number({ minimum: 0, maximum: 1, description: '0 is silent, 1 is full.' }),
    },
    identifiedBy,
    prefers,
    result,
    reasons,
    example: {
      parameters: { playlistId: 'depths', soundName: 'Dripping water', volume: 0.2 },
      result: { data: { playlist: { ...depths, sounds: [{ ...drips, volume: 0.2 }] } } },
    },
  }),
} as const satisfies OperationDefinitions;
