/* oxlint-disable max-lines -- Generated from packages/contract/src/events by `pnpm docs:generate`; a test compares it. */

/** The filters of each channel, the names of its events, and their data. */
export interface ChannelTypes {
  /** Follow the tabletop’s hooks. */
  hooks: {
    filters: {
      /** Names of hooks with commas between them; all hooks when left out. */
      hooks?: readonly string[] | undefined;
    };
    event: string;
    data: {
      readonly hook: string;
      readonly args: readonly unknown[];
      readonly [field: string]: unknown;
    };
  };
  /** Follow combat encounters. */
  combat: {
    filters: {
      /** Id of one encounter; all when left out. */
      encounterId?: string | undefined;
    };
    event: `combat-${string}`;
    data: {
      readonly eventType: string;
      readonly encounterId: string;
      readonly round?: number | null | undefined;
      readonly turn?: number | null | undefined;
      readonly [field: string]: unknown;
    };
  };
  /** Follow one actor, or all of them. */
  actor: {
    filters: {
      /** The actor, for example `Actor.mira`; all actors when left out, or by `*`. */
      actorUuid?: string | undefined;
    };
    event: `actor-${string}`;
    data: {
      readonly eventType: string;
      readonly actorUuid: string;
      readonly changes?: Readonly<Record<string, unknown>> | null | undefined;
      readonly [field: string]: unknown;
    };
  };
  /** Follow scenes and what stands on them. */
  scene: {
    filters: {
      /** Id of one scene; all when left out. */
      sceneId?: string | undefined;
    };
    event: `scene-${string}`;
    data: {
      readonly eventType: string;
      readonly sceneId: string;
      readonly changes?: Readonly<Record<string, unknown>> | null | undefined;
      readonly [field: string]: unknown;
    };
  };
  /** Follow the chat. */
  chat: {
    filters: {
      /** Name or actor id of who speaks. Deletions pass all the same. */
      speaker?: string | undefined;
      /** Kind of message: 0 other, 1 out of character, 2 in character, 3 emote, 4 whisper, 5 roll; as the tabletop counts them. Deletions pass all the same. */
      chatType?: number | undefined;
      /** Whispers alone, when it is true. Deletions pass all the same. */
      whisperOnly?: boolean | undefined;
      /** Id or name of the user who wrote it. Deletions pass all the same. */
      userId?: string | undefined;
    };
    event: `chat-${string}`;
    data: {
      readonly eventType: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly [field: string]: unknown;
    };
  };
  /** Follow the dice. */
  rolls: {
    filters: {
      /** Id or name of the user who rolled. */
      userId?: string | undefined;
    };
    event: 'roll';
    data: {
      readonly id: string;
      readonly formula: string;
      readonly rollTotal: number;
      readonly user?: Readonly<Record<string, unknown>> | null | undefined;
      readonly speaker?: Readonly<Record<string, unknown>> | null | undefined;
      readonly flavor?: string | null | undefined;
      readonly isCritical?: boolean | null | undefined;
      readonly isFumble?: boolean | null | undefined;
      readonly dice?: readonly unknown[] | null | undefined;
      readonly [field: string]: unknown;
    };
  };
}

/** The data of the events that the relay itself sends on any stream. */
export interface StreamEventTypes {
  /** The first event. `recovered`: nothing is missing since the `Last-Event-ID` that was sent. False: read the state anew, because events since then are lost, or no id was sent. */
  connected: {
    readonly clientId: string;
    readonly channel: string;
    readonly recovered: boolean;
  };
  /** Events are missing here: this listener was too slow, or the relay lost them. `dropped` is absent where it cannot count them. Read the state anew. */
  gap: {
    readonly clientId: string;
    readonly channel: string;
    readonly dropped?: number | null | undefined;
  };
  /** The key or the world was paused: `of` says which, `setIn` where. The stream stays open and is silent until `resumed`. */
  paused: {
    readonly clientId: string;
    readonly channel: string;
    readonly of: string;
    readonly setIn: string;
    readonly since: string;
  };
  /** No pause stands in the way any more. A `gap` follows: what happened meanwhile is not delivered, by no `Last-Event-ID` either. */
  resumed: {
    readonly clientId: string;
    readonly channel: string;
  };
  /** The world disconnected. The stream stays open. What the world sent just before may be lost. */
  'client-offline': {
    readonly clientId: string;
    readonly channel: string;
    readonly timestamp: number;
  };
  /** The world is connected again. */
  'client-online': {
    readonly clientId: string;
    readonly channel: string;
    readonly timestamp: number;
  };
}

/** What the relay puts into every event beside what the module sent. */
export interface EventFacts {
  readonly clientId: string;
  readonly channel: string;
  readonly timestamp: number;
}
