/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `playlists` take and answer; `wire`: as a module reads it. */
export interface PlaylistsOperations {
  /** List the playlists and what is playing. */
  'get-playlists': {
    parameters: object;
    result: {
      data: {
        playlists: Array<{
          id: string;
          name: string;
          description?: string | null;
          playing: boolean;
          /** -1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once. */
          mode?: number | null;
          /** Milliseconds. */
          fade?: number | null;
          /** Id of the folder. */
          folder?: string | null;
          /** `a` by name, `m` by hand. */
          sorting?: string | null;
          sounds: Array<{
            id: string;
            name: string;
            /** Path or address of the file. */
            path?: string | null;
            playing: boolean;
            /** 0 to 1. */
            volume?: number | null;
            repeat?: boolean;
            /** Milliseconds. */
            fade?: number | null;
          }>;
        }>;
      };
    };
  };
  /** Play a playlist, or one sound of it. */
  'playlist-play': {
    parameters: {
      /** Id of the playlist. */
      playlistId?: string;
      /** Name of the playlist, whatever its case. */
      playlistName?: string;
      /** Id of a sound of the playlist. */
      soundId?: string;
      /** Name of a sound of the playlist, whatever its case. */
      soundName?: string;
    };
    result: {
      data: {
        playlist: {
          id: string;
          name: string;
          description?: string | null;
          playing: boolean;
          /** -1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once. */
          mode?: number | null;
          /** Milliseconds. */
          fade?: number | null;
          /** Id of the folder. */
          folder?: string | null;
          /** `a` by name, `m` by hand. */
          sorting?: string | null;
          sounds: Array<{
            id: string;
            name: string;
            /** Path or address of the file. */
            path?: string | null;
            playing: boolean;
            /** 0 to 1. */
            volume?: number | null;
            repeat?: boolean;
            /** Milliseconds. */
            fade?: number | null;
          }>;
        };
      };
    };
  };
  /** Stop a playlist. */
  'playlist-stop': {
    parameters: {
      /** Id of the playlist. */
      playlistId?: string;
      /** Name of the playlist, whatever its case. */
      playlistName?: string;
    };
    result: {
      data: {
        playlist: {
          id: string;
          name: string;
          description?: string | null;
          playing: boolean;
          /** -1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once. */
          mode?: number | null;
          /** Milliseconds. */
          fade?: number | null;
          /** Id of the folder. */
          folder?: string | null;
          /** `a` by name, `m` by hand. */
          sorting?: string | null;
          sounds: Array<{
            id: string;
            name: string;
            /** Path or address of the file. */
            path?: string | null;
            playing: boolean;
            /** 0 to 1. */
            volume?: number | null;
            repeat?: boolean;
            /** Milliseconds. */
            fade?: number | null;
          }>;
        };
      };
    };
  };
  /** Go on to the next sound of a playlist. */
  'playlist-next': {
    parameters: {
      /** Id of the playlist. */
      playlistId?: string;
      /** Name of the playlist, whatever its case. */
      playlistName?: string;
    };
    result: {
      data: {
        playlist: {
          id: string;
          name: string;
          description?: string | null;
          playing: boolean;
          /** -1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once. */
          mode?: number | null;
          /** Milliseconds. */
          fade?: number | null;
          /** Id of the folder. */
          folder?: string | null;
          /** `a` by name, `m` by hand. */
          sorting?: string | null;
          sounds: Array<{
            id: string;
            name: string;
            /** Path or address of the file. */
            path?: string | null;
            playing: boolean;
            /** 0 to 1. */
            volume?: number | null;
            repeat?: boolean;
            /** Milliseconds. */
            fade?: number | null;
          }>;
        };
      };
    };
  };
  /** Set the volume of a playlist, or of one sound of it. */
  'playlist-volume': {
    parameters: {
      /** Id of the playlist. */
      playlistId?: string;
      /** Name of the playlist, whatever its case. */
      playlistName?: string;
      /** Id of a sound of the playlist. */
      soundId?: string;
      /** Name of a sound of the playlist, whatever its case. */
      soundName?: string;
      /** 0 is silent, 1 is full. */
      volume: number;
    };
    result: {
      data: {
        playlist: {
          id: string;
          name: string;
          description?: string | null;
          playing: boolean;
          /** -1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once. */
          mode?: number | null;
          /** Milliseconds. */
          fade?: number | null;
          /** Id of the folder. */
          folder?: string | null;
          /** `a` by name, `m` by hand. */
          sorting?: string | null;
          sounds: Array<{
            id: string;
            name: string;
            /** Path or address of the file. */
            path?: string | null;
            playing: boolean;
            /** 0 to 1. */
            volume?: number | null;
            repeat?: boolean;
            /** Milliseconds. */
            fade?: number | null;
          }>;
        };
      };
    };
  };
  /** Play a sound once for everyone. */
  'play-sound': {
    parameters: {
      /** Path or address of the file, for example `sounds/bell.ogg`. */
      src: string;
      /** 0 is silent, 1 is full. */
      volume?: number;
      /** Begin anew until it is stopped. */
      loop?: boolean;
    };
    result: {
      data: {
        src: string;
        volume: number;
        loop: boolean;
      };
    };
  };
  /** Stop a sound, or all of them. */
  'stop-sound': {
    parameters: {
      /** Path or address of the file, for example `sounds/bell.ogg`. */
      src?: string;
    };
    result: {
      data: {
        /** How many were playing. */
        stopped: number;
        src?: string | null;
      };
    };
  };
}
