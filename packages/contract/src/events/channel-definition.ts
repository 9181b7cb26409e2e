import type { DataOf, Fields } from './fields.ts';

/**
 * One kind of events of a world as it is written down. It is plain data, because browsers load it: routes, frames,
 * documents, SDK types and the reference follow from it.
 */
export interface ChannelDefinition {
  /** One line in the imperative, without a full stop. */
  summary: string;
  description?: string;
  path: `/${string}/subscribe`;
  /** The type of the frame that carries an event on the module's socket. */
  frame: string;
  /** The channel's name in `event-subscription-update`. */
  wire: string;
  /** What a caller may narrow the stream by. The relay applies it; the module sends everything. */
  filters: Readonly<Record<string, ChannelFilter>>;
  /** The name of an event is the prefix and the text of that field of its data. */
  named: { prefix: string; field?: string };
  /** The events that today's modules send, by name, and when. Modules may send others, and listeners get them. */
  events: Readonly<Record<string, string>>;
  /** What the module sends with each event. It may send more fields, and listeners get them. */
  data: Fields;
  /**
   * How listeners find the data once more, as programs of another relay read it. `data`: what the module sent stands under `data`
   * too. `flat`: the fields of its `data` stand beside it too. Nothing that the module or the relay says is replaced.
   */
  repeated: 'data' | 'flat';
  /** The data of one event, for the reference and for the tests. */
  example: Readonly<Record<string, unknown>>;
}

export interface ChannelFilter {
  /** `names` is a list of texts with commas between them; an event passes by any of them. A `flag` asks for a list with entries. */
  type: keyof FilterTypes;
  description: string;
  /** What programs of another relay call it: read, and never listed. */
  alias?: string;
  /** The value that lets everything pass, as if the filter were left out. */
  everything?: string;
  /** Where it is found in the event's data, as dotted paths. It is enough that one of them agrees. */
  matches: readonly string[];
  /** Names of events that pass without a look: they do not say what the filter asks for. */
  exempt?: readonly string[];
}

/** The values of filters as programs give them. */
export interface FilterTypes {
  text: string;
  integer: number;
  names: readonly string[];
  flag: boolean;
}

export type ChannelDefinitions = Readonly<Record<string, ChannelDefinition>>;

/** The filters that a caller of a channel may give. */
export type FiltersOf<F extends ChannelDefinition['filters']> = {
  [N in keyof F]?: FilterTypes[F[N]['type']] | undefined;
};

/** The data of an event as the module sends it. */
export type SentData<F extends Fields> = DataOf<F> & Readonly<Record<string, unknown>>;
