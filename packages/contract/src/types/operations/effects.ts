/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `effects` take and answer; `wire`: as a module reads it. */
export interface EffectsOperations {
  /** List the conditions that the world knows. */
  'get-status-effects': {
    parameters: object;
    result: {
      data: {
        effects: Array<{
          id: string;
          name: string;
          icon?: string | null;
        }>;
      };
    };
  };
  /** List the effects on an actor or a token. */
  'get-effects': {
    parameters: {
      /** UUID of an actor or a token, for example `Actor.mira`. */
      uuid: string;
    };
    result: {
      data: {
        uuid: string;
        effects: Array<{
          id: string;
          uuid: string;
          name: string;
          icon?: string | null;
          disabled: boolean;
          duration?: unknown;
          statuses: string[];
          changes: unknown[];
          origin?: string | null;
        }>;
      };
    };
  };
  /** Put a condition or an effect on an actor. */
  'add-effect': {
    parameters: {
      /** UUID of an actor or a token, for example `Actor.mira`. */
      uuid: string;
      /** Id of a condition, for example `prone`. */
      statusId?: string;
      /** The fields of an effect of one’s own, for example `{"name": "Blessed"}`. */
      effectData?: Record<string, unknown>;
    };
    result: {
      data: {
        uuid: string;
        effect?: {
          id: string;
          uuid: string;
          name: string;
          icon?: string | null;
          statuses?: string[];
        } | null;
      };
    };
  };
  /** Take a condition or an effect from an actor. */
  'remove-effect': {
    parameters: {
      /** UUID of an actor or a token, for example `Actor.mira`. */
      uuid: string;
      /** Id of the effect. */
      effectId?: string;
      /** Id of a condition, for example `prone`. */
      statusId?: string;
    };
    result: {
      data: {
        uuid: string;
        removedEffectId?: string | null;
      };
    };
  };
}
