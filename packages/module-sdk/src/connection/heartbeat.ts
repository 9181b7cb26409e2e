/** Watches over one socket; `heard` is told of every frame that comes. */
export interface Heartbeat {
  heard(): void;
  stop(): void;
}

/** A timer that fires so much later than it was set for says nothing about the socket: the tab was throttled or asleep. */
const latePart = 1.5;

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = () => {
    clearTimeout(timer);
    armedAt = Date.now();
    timer = setTimeout(beat, everyMs);
  };
  const beat = () => {
    const isLate = Date.now() - armedAt > latePart * everyMs;
    if (asked > 1 || (asked === 1 && !isLate)) return options.onSilent();
    asked += 1;
    arm();
    options.ping();
  };
  arm();
  return {
    heard() {
      asked = 0;
      arm();
    },
    stop: () => clearTimeout(timer),
  };
}
