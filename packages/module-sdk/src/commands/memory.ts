import { idempotencyKeptMs } from '@tabletop-relay/contract';

/** What the relay tells of a command whose caller may repeat it. */
export interface Idempotency {
  /** Of one caller, operation, user and parameters. */
  key: string;
  /** When the relay took the first command under the key, by a clock of its own. */
  reservedAt: number;
  /** The first one was sent to this memory and nobody knows what became of it. */
  isRepeat: boolean;
}

/** Knows how the commands ended that their callers may repeat, or that they still run, whatever socket they came down. */
export interface CommandMemory {
  /** Random: it is told in `auth`, and ends with the page. */
  readonly name: string;
  /**
   * Runs a command, or gives what the one before it under its key came to, or will. A repeat of which nothing is known is refused where
   * its command may have been forgotten.
   */
  once(idempotency: Idempotency, run: (signal: AbortSignal) => Promise<object>): Promise<object>;
  /** Aborts what runs. */
  abort(reason: string): void;
}

interface Remembered {
  reservedAt: number;
  controller: AbortController;
  /** While it runs. */
  result: Promise<object> | undefined;
  /** JSON of its result; undefined while it runs and where it is not kept. */
  text: string | undefined;
}

interface MemoryBounds {
  commands: number;
  /** Characters of one result. Of a command with a larger one it is remembered that it was done. */
  resultLength: number;
  /** Characters of all results. Above it the oldest are forgotten, and their commands are remembered as done. */
  totalLength: number;
}

const usualBounds: MemoryBounds = { commands: 1_000, resultLength: 65_536, totalLength: 4_194_304 };

export function createMemory(bounds = usualBounds): CommandMemory {
  const commands = new Map<string, Remembered>();
  let length = 0;
  /** No forgotten command was reserved later. */
  let forgottenUntil = -Infinity;

  const forgetResult = (one: Remembered): void => {
    length -= one.text?.length ?? 0;
    one.text = undefined;
  };

  const forget = (key: string, one: Remembered): void => {
    commands.delete(key);
    forgetResult(one);
    forgottenUntil = Math.max(forgottenUntil, one.reservedAt);
  };

  const keepResult = (key: string, one: Remembered, result: object): void => {
    one.result = undefined;
    const text = textOf(result);
    // Its command was forgotten while it ran, or its key stands for another one by now.
    if (text.length > bounds.resultLength || commands.get(key) !== one) return;
    one.text = text;
    length += text.length;
    for (const other of commands.values()) {
      if (length <= bounds.totalLength) break;
      forgetResult(other);
    }
  };

  return {
    name: randomName(),

    async once({ key, reservedAt, isRepeat }, run) {
      const known = commands.get(key);
      // A key that comes back after the time for which the relay keeps it stands for a new command.
      if (known && reservedAt - known.reservedAt < idempotencyKeptMs)
        return known.result ? await known.result : recall(known.text);
      if (known) forget(key, known);
      if (isRepeat && reservedAt <= forgottenUntil) return forgotten;
      const controller = new AbortController();
      const one: Remembered = { reservedAt, controller, result: undefined, text: undefined };
      commands.set(key, one);
      for (const [name, oldest] of commands) {
        if (commands.size <= bounds.commands) break;
        forget(name, oldest);
      }
      one.result = run(controller.signal);
      const result = await one.result;
      keepResult(key, one, result);
      return result;
    },

    abort(reason) {
      for (const { result, controller } of commands.values()) if (result) controller.abort(new Error(reason));
    },
  };
}

/** Whether the command was carried out is not known here any more. */
const forgotten = {
  error: 'Too many commands came since: whether this one was carried out is not remembered',
  code: 'outcome_unknown',
};

const recall = (text: string | undefined): object =>
  text === undefined
    ? { error: 'This was done, and its answer is not remembered', code: 'already_done' }
    : (JSON.parse(text) as object);

function textOf(result: object): string {
  try {
    return JSON.stringify(result);
  } catch {
    return JSON.stringify({ error: 'The result cannot be written as JSON' });
  }
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
