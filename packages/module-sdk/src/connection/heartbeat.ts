/** Watches over one socket; `heard` is told of every frame that comes. */
export interface Heartbeat {
  heard(): void;
  stop(): void;
}

/** Pings in a row that went unanswered for a whole interval each before the socket counts as dead. */
const toleratedPings = 2;

/**
 * Pings every `everyMs` and calls `onSilent` when two intervals brought no frame. It counts intervals, not
 * time: in a throttled or woken tab timers fire late, and a late timer says nothing about the socket.
 */
export function startHeartbeat(options: {
  everyMs: number;
  ping: () => void;
  onSilent: () => void;
}): Heartbeat {
  let unanswered = 0;
  const beat = () => {
    if (unanswered >= toleratedPings) return options.onSilent();
    unanswered += 1;
    options.ping();
    timer = setTimeout(beat, options.everyMs);
  };
  let timer = setTimeout(beat, options.everyMs);
  return {
    heard() {
      unanswered = 0;
    },
    stop: () => clearTimeout(timer),
  };
}
