import { idempotencyKeptMs } from '@tabletop-relay/contract';
import type { CommandIdempotency, Declarations } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';

/** A command that its caller may repeat, on its way to its module. */
export interface KeyedSending extends CommandIdempotency {
  /** The memory that it was reserved with: no other module may get it. */
  memory?: string | undefined;
}

const most = 1_000;

/**
 * The keys of the last commands that one socket was sent. Their reservations tell the same, unless the store lost them meanwhile: then
 * the socket knows what it was sent within the time for which they are kept.
 */
export class SentKeys {
  readonly #reservedAt = new Map<string, number>();

  /** Of several sendings under one key the first counts: by its time a module tells whether it may have forgotten the key. */
  add(keyed: CommandIdempotency): void {
    const { key, reservedAt } = keyed;
    const first = this.before(keyed) ?? reservedAt;
    this.#reservedAt.delete(key);
    this.#reservedAt.set(key, first);
    if (this.#reservedAt.size <= most) return;
    for (const oldest of this.#reservedAt.keys()) {
      this.#reservedAt.delete(oldest);
      break;
    }
  }

  /** When the first command under this key was reserved that was sent within the time for which keys are kept. */
  before({ key, reservedAt }: CommandIdempotency): number | undefined {
    const before = this.#reservedAt.get(key);
    return before === undefined || reservedAt - before >= idempotencyKeptMs ? undefined : before;
  }

  /** What a module is told of a command's key: nothing where it remembers none. Throws where it may not get the command. */
  tellingOf(declared: Declarations, keyed: KeyedSending): CommandIdempotency | undefined {
    const { key, reservedAt, isRepeat, memory } = keyed;
    const { remembers } = declared;
    if (memory !== undefined && memory !== remembers) throw isRepeat ? outcomeUnknown() : moved();
    const before = this.before(keyed);
    if (remembers !== undefined)
      return { key, reservedAt: before ?? reservedAt, isRepeat: isRepeat || before !== undefined };
    if (before !== undefined) throw outcomeUnknown();
    return undefined;
  }
}

const outcomeUnknown = () => new ProblemError('outcome_unknown');

const moved = () =>
  new ProblemError(
    'unavailable',
    'Another browser serves the world by now. Nothing was sent; repeat the call.',
  );
