/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `encounters` take and answer; `wire`: as a module reads it. */
export interface EncountersOperations {
  /** List the encounters of the world. */
  encounters: {
    parameters: object;
    result: {
      encounters: Array<{
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
        current: boolean;
        /** In the order in which they joined; the turn order is by initiative. */
        combatants: Array<{
          id: string;
          name: string;
          /** Absent where there is no token any more. */
          tokenUuid?: string;
          /** Absent where there is no actor any more. */
          actorUuid?: string;
          img: string | null;
          /** Null until it is rolled. */
          initiative: number | null;
          hidden: boolean;
          defeated: boolean;
        }>;
      }>;
    };
  };
  /** Start an encounter. */
  'start-encounter': {
    parameters: {
      /** Tokens to include. */
      tokens?: string[];
      /** Include the tokens that are selected on the canvas. */
      startWithSelected?: boolean;
      /** Include the players’ tokens. */
      startWithPlayers?: boolean;
      /** Roll initiative for those that no player owns. */
      rollNPC?: boolean;
      /** Roll initiative for all. */
      rollAll?: boolean;
      /** Name of the encounter; today’s modules call it “New Encounter” where it is left out. */
      name?: string;
    };
    wire: {
      /** Tokens to include. */
      tokenUuids?: string[];
      /** Include the tokens that are selected on the canvas. */
      startWithSelected?: boolean;
      /** Include the players’ tokens. */
      startWithPlayers?: boolean;
      /** Roll initiative for those that no player owns. */
      rollNPC?: boolean;
      /** Roll initiative for all. */
      rollAll?: boolean;
      /** Name of the encounter; today’s modules call it “New Encounter” where it is left out. */
      name?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      encounter: {
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
        /** In the order in which they joined; the turn order is by initiative. */
        combatants: Array<{
          id: string;
          name: string;
          /** Absent where there is no token any more. */
          tokenUuid?: string;
          /** Absent where there is no actor any more. */
          actorUuid?: string;
          img: string | null;
          /** Null until it is rolled. */
          initiative: number | null;
          hidden: boolean;
          defeated: boolean;
        }>;
      };
    };
  };
  /** End an encounter. */
  'end-encounter': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      message: string;
    };
  };
  /** Go to the next turn. */
  'next-turn': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      action: 'nextTurn';
      /** Null in round 0. */
      currentTurn: number | null;
      currentRound: number;
      /** UUID of the actor whose turn it is; absent without combatants. */
      actorTurn?: string;
      /** UUID of that actor’s token. */
      tokenTurn?: string;
      encounter: {
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
      };
    };
  };
  /** Go to the next round. */
  'next-round': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      action: 'nextRound';
      /** Null in round 0. */
      currentTurn: number | null;
      currentRound: number;
      /** UUID of the actor whose turn it is; absent without combatants. */
      actorTurn?: string;
      /** UUID of that actor’s token. */
      tokenTurn?: string;
      encounter: {
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
      };
    };
  };
  /** Go back one turn. */
  'last-turn': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      action: 'previousTurn';
      /** Null in round 0. */
      currentTurn: number | null;
      currentRound: number;
      /** UUID of the actor whose turn it is; absent without combatants. */
      actorTurn?: string;
      /** UUID of that actor’s token. */
      tokenTurn?: string;
      encounter: {
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
      };
    };
  };
  /** Go back one round. */
  'last-round': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      action: 'previousRound';
      /** Null in round 0. */
      currentTurn: number | null;
      currentRound: number;
      /** UUID of the actor whose turn it is; absent without combatants. */
      actorTurn?: string;
      /** UUID of that actor’s token. */
      tokenTurn?: string;
      encounter: {
        id: string;
        name?: string;
        /** 1 after the start; 0 before it. */
        round: number;
        /** Index into the turn order, which is by initiative; 0 after the start, null in round 0. */
        turn: number | null;
      };
    };
  };
  /** Add tokens to an encounter. */
  'add-to-encounter': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
      /** The tokens, by UUID; may be empty with `selected`. */
      uuids?: string[];
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** Roll initiative for those that are added. */
      rollInitiative?: boolean;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
      /** The tokens, by UUID; may be empty with `selected`. */
      uuids?: string[];
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** Roll initiative for those that are added. */
      rollInitiative?: boolean;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      /** Token UUIDs that were added. */
      added: string[];
      /** Tokens that could not be processed, and why. */
      failed: {
        uuid: string;
        reason: string;
      }[];
    };
  };
  /** Remove tokens from an encounter. */
  'remove-from-encounter': {
    parameters: {
      /** Id of the encounter; the current one when left out. */
      encounter?: string;
      /** The tokens, by UUID; may be empty with `selected`. */
      uuids?: string[];
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
    };
    wire: {
      /** Id of the encounter; the current one when left out. */
      encounterId?: string;
      /** The tokens, by UUID; may be empty with `selected`. */
      uuids?: string[];
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
    };
    result: {
      /** Id of the encounter. */
      encounterId: string;
      /** Token UUIDs that were removed. */
      removed: string[];
      /** Tokens that could not be processed, and why. */
      failed: {
        uuid: string;
        reason: string;
      }[];
    };
  };
}
