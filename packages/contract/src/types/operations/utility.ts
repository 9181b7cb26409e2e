/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `utility` take and answer; `wire`: as a module reads it. */
export interface UtilityOperations {
  /** Select tokens on the canvas. */
  select: {
    parameters: {
      /** Tokens to select, by UUID. */
      uuids?: string[];
      /** Select the tokens of this name. */
      name?: string;
      /** Select the tokens whose data has these values, by dotted path, for example `{"actor.type": "npc"}`. */
      data?: Record<string, unknown>;
      /** Replace the existing selection instead of adding to it. */
      overwrite?: boolean;
      /** Select all tokens on the canvas. */
      all?: boolean;
    };
    result: {
      success: boolean;
      /** How many tokens are selected. */
      count: number;
      message: string;
      /** Token UUIDs. */
      selected: string[];
    };
  };
  /** List the selected tokens. */
  selected: {
    parameters: object;
    result: {
      success: boolean;
      selected: Array<{
        tokenUuid: string;
        /** Null where the token has no actor. */
        actorUuid: string | null;
      }>;
    };
  };
  /** List the users of the world. */
  players: {
    parameters: object;
    result: {
      users: Array<{
        id: string;
        name: string;
        /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
        role: number;
        isGM: boolean;
        /** Whether the user is in the world now. */
        active: boolean;
        color: string | null;
        avatar: string | null;
      }>;
    };
  };
  /** Describe the world: system, versions, modules, users, scene. */
  'world-info': {
    parameters: object;
    result: {
      data: {
        world: {
          id: string;
          title: string;
        };
        system: {
          id: string;
          title: string;
          version: string;
        };
        /** Version of the tabletop application. */
        tabletopVersion: string;
        /** The same, by the name that today’s modules give it. */
        foundryVersion?: string;
        modules: {
          id: string;
          title: string;
          version: string;
          active: boolean;
        }[];
        users: Array<{
          id: string;
          name: string;
          /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
          role: number;
          isGM: boolean;
          /** Whether the user is in the world now. */
          active: boolean;
          color: string | null;
          avatar: string | null;
        }>;
        /** Null while no scene is active. */
        activeScene: {
          id: string;
          name: string;
        } | null;
      };
    };
  };
}
