/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `users` take and answer; `wire`: as a module reads it. */
export interface UsersOperations {
  /** List the users with their characters. */
  'get-users': {
    parameters: object;
    result: {
      data: Array<{
        id: string;
        name: string;
        /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
        role: number;
        isGM: boolean;
        /** Whether the user is in the world now. */
        active: boolean;
        color: string | null;
        avatar: string | null;
        character: string | null;
      }>;
    };
  };
  /** Read a user. */
  'get-user': {
    parameters: {
      /** Id of the user. */
      id?: string;
      /** Name of the user. */
      name?: string;
    };
    result: {
      data: {
        id: string;
        name: string;
        /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
        role: number;
        isGM: boolean;
        /** Whether the user is in the world now. */
        active: boolean;
        color: string | null;
        avatar: string | null;
        character: string | null;
      };
    };
  };
  /** Add a user. */
  'create-user': {
    parameters: {
      /** Name of the user. */
      name: string;
      /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
      role?: number;
      /** For the world’s log-in page; none where it is left out. */
      password?: string;
      /** Id or UUID of an actor. */
      character?: string;
    };
    result: {
      data: {
        id: string;
        name: string;
        /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
        role: number;
        isGM: boolean;
        /** Whether the user is in the world now. */
        active: boolean;
        color: string | null;
        avatar: string | null;
        character: string | null;
      };
    };
  };
  /** Change a user. */
  'update-user': {
    parameters: {
      /** Id of the user. */
      id?: string;
      /** Name of the user. */
      name?: string;
      /** The fields to change, for example `{"role": 2}`. */
      data: Record<string, unknown>;
    };
    result: {
      data: {
        id: string;
        name: string;
        /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
        role: number;
        isGM: boolean;
        /** Whether the user is in the world now. */
        active: boolean;
        color: string | null;
        avatar: string | null;
        character: string | null;
      };
    };
  };
  /** Remove a user. */
  'delete-user': {
    parameters: {
      /** Id of the user. */
      id?: string;
      /** Name of the user. */
      name?: string;
    };
    result: {
      success: boolean;
    };
  };
}
