/** Watches over one socket; `heard` is told of every frame that comes. */
export interface Heartbeat {
  heard(): void;
  /** Asks at once and waits for a short time only: to be called when the page wakes. What was heard just now needs no question. */
  askNow(): void;
  stop(): void;
}

/** A timer that fires so much later than it was set for says nothing about the socket: the tab was throttled or asleep. */
const latePart = 1.5;
/** How soon a page that wakes wants to know, and how old its last frame may be without a question. */
const wakeMs = 5_000;

/**
 * Pings when `everyMs` brought no frame, and calls `onSilent` when twice that did not. Where a timer fires late it asks once
 * more first.
 */
export function startHeartbeat(options: {
  everyMs: number;
  ping: () => void;
  onSilent: () => void;
}): Heartbeat {
  const { everyMs } = options;
  let asked = 0;
  let armedAt: number;
  let armedMs: number;
  let heardAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (ms = everyMs) => {
    clearTimeout(timer);
    armedAt = Date.now();
    armedMs = ms;
    timer = setTimeout(beat, ms);
  };
  const beat = () => {
    const isLate = Date.now() - armedAt > latePart * armedMs;
    if (asked > 1 || (asked === 1 && !isLate)) return options.onSilent();
    asked += 1;
    arm();
    options.ping();
  };
  arm();
  return {
    heard() {
      asked = 0;
      heardAt = Date.now();
      arm();
    },
    askNow() {
      if (Date.now() - heardAt < wakeMs) return;
      asked = 1;
      arm(Math.min(wakeMs, everyMs));
      options.ping();
    },
    stop: () => clearTimeout(timer),
  };
}
