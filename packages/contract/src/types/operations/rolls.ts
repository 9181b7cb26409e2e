/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `rolls` take and answer; `wire`: as a module reads it. */
export interface RollsOperations {
  /** List the last rolls. */
  rolls: {
    parameters: {
      /** How many at most; more count as 20. */
      limit?: number;
    };
    result: {
      data: Array<{
        id?: string | null;
        messageId?: string | null;
        /** The user who rolled: `id` and `name`. */
        user?: unknown;
        /** In whose name it was rolled. */
        speaker?: unknown;
        flavor?: string | null;
        rollTotal?: number | null;
        formula?: string | null;
        isCritical?: boolean | null;
        isFumble?: boolean | null;
        dice?: Array<{
          faces?: number | null;
          results?: unknown[];
        }>;
        timestamp?: number | null;
      }>;
    };
  };
  /** Read the last roll. */
  'last-roll': {
    parameters: object;
    result: {
      /** Null while nothing was rolled. */
      data?: {
        id?: string | null;
        messageId?: string | null;
        /** The user who rolled: `id` and `name`. */
        user?: unknown;
        /** In whose name it was rolled. */
        speaker?: unknown;
        flavor?: string | null;
        rollTotal?: number | null;
        formula?: string | null;
        isCritical?: boolean | null;
        isFumble?: boolean | null;
        dice?: Array<{
          faces?: number | null;
          results?: unknown[];
        }>;
        timestamp?: number | null;
      } | null;
    };
  };
  /** Roll a formula. */
  roll: {
    parameters: {
      /** Dice notation, for example `4d6dl1 + 2` or `2d20kh + 1d4`. */
      formula: string;
      /** What it is for. */
      flavor?: string;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
      /** UUID of the token or actor in whose name it is rolled. */
      speaker?: string;
      /** Ids or names of the users who alone see it. */
      whisper?: string[];
    };
    result: {
      success: boolean;
      data: {
        id?: string | null;
        chatMessageCreated?: boolean | null;
        roll: {
          formula: string;
          total: number;
          isCritical?: boolean | null;
          isFumble?: boolean | null;
          dice?: Array<{
            faces?: number | null;
            results?: unknown[];
          }>;
          timestamp?: number;
        };
      };
    };
  };
}
