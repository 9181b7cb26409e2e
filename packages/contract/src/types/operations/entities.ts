/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `entities` take and answer; `wire`: as a module reads it. */
export interface EntitiesOperations {
  /** Read a document of any kind. */
  entity: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** With `selected`: use the tokens’ actors instead of the tokens. */
      actor?: boolean;
    };
    result: {
      /** UUID of the document, or of the last one. */
      uuid?: string;
      data: Record<string, unknown> | Record<string, unknown>[];
    };
  };
  /** Create a document of any kind. */
  create: {
    parameters: {
      /** Kind of document, for example `Actor`, `Item`, `JournalEntry`, `RollTable` or `Macro`. */
      entityType: string;
      /** The document’s fields. */
      data: Record<string, unknown>;
      /** Id of the folder to put it in. */
      folder?: string;
      /** Keep the `_id` that `data` has. */
      keepId?: boolean;
      /** Change the document that has this `_id` instead of failing. */
      override?: boolean;
      /** With `override`: also delete the embedded documents that `data` lacks. */
      fullSync?: boolean;
    };
    result: {
      uuid: string;
      /** The document as it is now. */
      entity: Record<string, unknown>;
    };
  };
  /** Change a document of any kind. */
  update: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** With `selected`: use the tokens’ actors instead of the tokens. */
      actor?: boolean;
      /** The fields to change; nested, or by dotted path such as `system.attributes.hp.value`. */
      data: Record<string, unknown>;
    };
    result: {
      /** UUID of the document, or of the last one. */
      uuid?: string;
      entity: Record<string, unknown>[];
    };
  };
  /** Delete a document of any kind. */
  delete: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** With `selected`: use the tokens’ actors instead of the tokens. */
      actor?: boolean;
    };
    result: {
      /** UUID of the document, or of the last one. */
      uuid?: string;
      success: boolean;
    };
  };
  /** Give an item to an actor. */
  give: {
    parameters: {
      /** UUID of the actor that gives. */
      fromUuid?: string;
      /** UUID of the actor that receives. */
      toUuid?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
      /** Item UUID, for example `Actor.mira.Item.wand`. */
      itemUuid?: string;
      /** Item name, as it stands on the actor. */
      itemName?: string;
      /** How many; the whole stack when left out. */
      quantity?: number;
    };
    result: {
      fromUuid?: string | null;
      selected?: boolean | null;
      toUuid?: string | null;
      /** How many the receiver has now. */
      quantity?: number | null;
      itemUuid?: string | null;
      /** Id of the item on the receiver. */
      newItemId?: string;
      success: boolean;
    };
  };
  /** Take an item away from an actor. */
  remove: {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
      /** Item UUID, for example `Actor.mira.Item.wand`. */
      itemUuid?: string;
      /** Item name, as it stands on the actor. */
      itemName?: string;
      /** How many; the item is deleted when left out. */
      quantity?: number;
    };
    result: {
      actorUuid?: string | null;
      itemUuid?: string | null;
      quantity?: number | null;
      success: boolean;
    };
  };
  /** Add to a number of a document. */
  increase: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** Dotted path of a number, for example `system.attributes.hp.value`. */
      attribute: string;
      /** By how much. The module holds the value to no bounds. */
      amount: number;
    };
    result: {
      results: {
        uuid: string;
        attribute: string;
        oldValue: number;
        /** As it was asked for; the system may hold it to its own bounds. */
        newValue: number;
      }[];
      success: boolean;
    };
  };
  /** Take from a number of a document. */
  decrease: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
      /** Dotted path of a number, for example `system.attributes.hp.value`. */
      attribute: string;
      /** By how much. The module holds the value to no bounds. */
      amount: number;
    };
    result: {
      results: {
        uuid: string;
        attribute: string;
        oldValue: number;
        /** As it was asked for; the system may hold it to its own bounds. */
        newValue: number;
      }[];
      success: boolean;
    };
  };
  /** Mark creatures as dead. */
  kill: {
    parameters: {
      /** UUID of the document, for example `Actor.mira` or `Actor.mira.Item.dagger`. */
      uuid?: string;
      /** Use the tokens that are selected on the canvas. */
      selected?: boolean;
    };
    result: {
      results: {
        uuid: string;
        success: boolean;
        message: string;
      }[];
    };
  };
}
