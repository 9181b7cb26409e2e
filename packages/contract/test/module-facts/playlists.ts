import { orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const playlist = {
  id: 'depths',
  name: 'The depths',
  description: 'Under the chapel',
  playing: true,
  mode: 0,
  fade: null,
  folder: orNull('music'),
  sorting: 'a',
  sounds: [
    {
      id: 'drips',
      name: 'Dripping water',
      path: 'sounds/drips.ogg',
      playing: true,
      volume: 0.5,
      repeat: true,
      fade: null,
    },
  ],
};

export const playlists = {
  'get-playlists': {
    http: 'GET /playlists',
    timeoutS: 10,
    reads: '',
    answer: {
      data: {
        playlists: [playlist],
      },
    },
  },
  'playlist-play': {
    http: 'POST /playlist/play',
    timeoutS: 10,
    reads: 'playlistId? playlistName? soundId? soundName?',
    answer: {
      data: {
        playlist: playlist,
      },
    },
  },
  'playlist-stop': {
    http: 'POST /playlist/stop',
    timeoutS: 10,
    reads: 'playlistId? playlistName?',
    answer: {
      data: {
        playlist: playlist,
      },
    },
  },
  'playlist-next': {
    http: 'POST /playlist/next',
    timeoutS: 10,
    reads: 'playlistId? playlistName?',
    answer: {
      data: {
        playlist: playlist,
      },
    },
  },
  'playlist-volume': {
    http: 'POST /playlist/volume',
    timeoutS: 10,
    reads: 'playlistId? playlistName? soundId? soundName? volume',
    answer: {
      data: {
        playlist: playlist,
      },
    },
  },
  'play-sound': {
    http: 'POST /play-sound',
    timeoutS: 10,
    reads: 'src volume? loop?',
    answer: { data: { src: 'sounds/bell.ogg', volume: 0.5, loop: false } },
  },
  'stop-sound': {
    http: 'POST /stop-sound',
    timeoutS: 10,
    reads: 'src?',
    answer: { data: { stopped: 0, src: orNull('sounds/bell.ogg') } },
  },
} satisfies ModuleFacts;
