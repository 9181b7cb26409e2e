const tickMs = 20;

/** Time-outs that share one timer. Each runs `expire` once, up to 20 ms late, unless it was cancelled before. */
export interface Deadlines {
  add(afterMs: number, expire: () => void): Deadline;
}

export interface Deadline {
  cancel(): void;
}

/**
 * A timer wheel with slots of 20 ms on the monotonic clock. Its timer runs only while it has entries. What is due expires
 * only after the sockets were read once more: after a long turn of the event loop a timer fires before that, and what it
 * waits for may be there.
 */
export function createDeadlines(): Deadlines {
  const slots = new Map<number, Set<Entry>>();
  let timer: NodeJS.Timeout | undefined;
  let reached = 0;

  function tick(): void {
    setImmediate(expireUntil, slotAt(0));
  }

  function expireUntil(until: number): void {
    for (; reached <= until; reached++) {
      const due = slots.get(reached);
      if (!due) continue;
      slots.delete(reached);
      for (const entry of due) entry.expire();
    }
    if (slots.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    add(afterMs, expire) {
      if (!timer) {
        reached = slotAt(0);
        timer = setInterval(tick, tickMs);
      }
      const index = slotAt(afterMs) + 1;
      let slot = slots.get(index);
      if (!slot) slots.set(index, (slot = new Set()));
      const entry = new Entry(slot, expire);
      slot.add(entry);
      return entry;
    },
  };
}

class Entry implements Deadline {
  readonly #slot: Set<Entry>;
  readonly expire: () => void;
  constructor(slot: Set<Entry>, expire: () => void) {
    this.#slot = slot;
    this.expire = expire;
  }
  cancel(): void {
    this.#slot.delete(this);
  }
}

function slotAt(afterMs: number): number {
  return Math.floor((performance.now() + Math.max(0, afterMs)) / tickMs);
}
