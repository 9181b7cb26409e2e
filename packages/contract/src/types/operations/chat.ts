/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `chat` take and answer; `wire`: as a module reads it. */
export interface ChatOperations {
  /** Read the chat. */
  'chat-messages': {
    parameters: {
      /** How many at most; more count as 500. */
      limit?: number;
      /** How many of the newest to leave out. */
      offset?: number;
      /** Only messages of this style: its number, or `other`, `ooc`, `ic`, `emote`, `roll`. */
      chatType?: number | string;
      /** Only what was sent under this alias. */
      speaker?: string;
    };
    result: {
      success: boolean;
      data: {
        messages: Array<{
          id: string;
          uuid: string;
          /** HTML. */
          content: string;
          speaker?: Record<string, unknown> | null;
          /** Epoch milliseconds. */
          timestamp: number;
          /** Ids of the users who alone see it. */
          whisper: string[];
          /** Its style: a number, or a name. */
          type?: unknown;
          /** Null for a user who is gone. */
          author?: {
            id: string;
            name: string;
          } | null;
          flavor?: string | null;
          isRoll?: boolean;
          rolls?: Array<{
            formula?: string | null;
            total?: number | null;
            isCritical?: boolean | null;
            isFumble?: boolean | null;
            dice?: unknown[];
          }>;
          flags?: Record<string, unknown> | null;
        }>;
        /** How many there are in all. */
        total: number;
        offset: number;
        limit: number;
      };
    };
  };
  /** Send a chat message. */
  'chat-send': {
    parameters: {
      /** HTML. The world cleans it. */
      content: string;
      /** Ids or names of the users who alone see it. */
      whisper?: string[];
      /** A line above the message. */
      flavor?: string;
      /** Its style: a number, or `other`, `ooc`, `ic`, `emote`. */
      chatType?: number | string;
      /** UUID of the token or actor in whose name it is sent. */
      speaker?: string;
      /** The name that it is sent under. */
      alias?: string;
    };
    result: {
      success: boolean;
      data: {
        id: string;
        uuid: string;
        /** HTML. */
        content: string;
        speaker?: Record<string, unknown> | null;
        /** Epoch milliseconds. */
        timestamp: number;
        /** Ids of the users who alone see it. */
        whisper: string[];
        /** Its style: a number, or a name. */
        type?: unknown;
        /** Null for a user who is gone. */
        author?: {
          id: string;
          name: string;
        } | null;
        flavor?: string | null;
        isRoll?: boolean;
        rolls?: Array<{
          formula?: string | null;
          total?: number | null;
          isCritical?: boolean | null;
          isFumble?: boolean | null;
          dice?: unknown[];
        }>;
        flags?: Record<string, unknown> | null;
      };
    };
  };
  /** Delete a chat message. */
  'chat-delete': {
    parameters: {
      /** Id of the message. */
      messageId: string;
    };
    result: {
      success: boolean;
      data: {
        messageId: string;
      };
    };
  };
  /** Delete the whole chat. */
  'chat-flush': {
    parameters: object;
    result: {
      success: boolean;
      data: {
        message: string;
      };
    };
  };
}
