/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `macros` take and answer; `wire`: as a module reads it. */
export interface MacrosOperations {
  /** List the macros with their code. */
  macros: {
    parameters: object;
    result: {
      macros: Array<{
        uuid: string;
        id?: string;
        name: string;
        type?: string | null;
        /** The user who wrote it: an id, or a name. */
        author?: unknown;
        command?: string | null;
        img?: string | null;
        scope?: string | null;
        /** Whether the acting user may run it. */
        canExecute?: boolean;
      }>;
    };
  };
  /** Run a macro. */
  'macro-execute': {
    parameters: {
      /** UUID of the macro, for example `Macro.toll`. */
      uuid: string;
      /** What the macro finds in `args`. */
      args?: Record<string, unknown>;
    };
    result: {
      uuid?: string;
      success: boolean;
      /** What the macro returned. */
      result?: unknown;
    };
  };
  /** Run a script. */
  'execute-js': {
    parameters: {
      /** For example `return game.actors.getName("Ghoul").name`. */
      script: string;
    };
    result: {
      success: boolean;
      /** What the script returned. */
      result?: unknown;
    };
  };
}
