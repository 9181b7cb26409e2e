import type { OperationRow } from '@tabletop-relay/sdk';

/** One flag of a command. */
export interface FlagRow {
  /** Without its dashes. */
  flag: string;
  /** The name that callers of the API write. */
  parameter: string;
  /** `texts` may be repeated; `flag` has no value, and `--no-<flag>` says false. */
  type: 'text' | 'texts' | 'number' | 'flag' | 'json';
  choices?: readonly string[];
  /** A text that reads as JSON of one of these kinds is taken for it. */
  or?: readonly ('array' | 'object' | 'number')[];
  /** Several may stand in one text, with commas between them. */
  byCommas?: true;
  isRequired?: true;
  description?: string;
  /** The value where none is given, as JSON. */
  preset?: string;
  /** `@name` reads it from a file and `@-` from standard input. A `secret` comes in no other way: every process of a machine sees command lines. */
  from?: 'file' | 'script' | 'secret';
}

export interface OperationCommand {
  summary: string;
  description?: string;
  scope: string;
  /** Absent where it only reads. */
  effect?: 'adds' | 'changes' | 'destroys';
  request: OperationRow;
  flags: readonly FlagRow[];
  /** Which of its flags are needed together. */
  rules?: readonly string[];
}

export interface GroupRow {
  title: string;
  operations: () => Readonly<Record<string, OperationCommand>>;
}

export interface ChannelRow {
  summary: string;
  description?: string;
  flags: readonly FlagRow[];
  /** Names of the events that are known. */
  events: readonly string[];
}
