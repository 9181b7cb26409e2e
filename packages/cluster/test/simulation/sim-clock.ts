import { AsyncLocalStorage } from 'node:async_hooks';

/** A simulated process. It can be stopped, woken and killed, and its timers with it. */
export interface Host {
  readonly name: string;
  state: 'running' | 'stopped' | 'dead';
  /** Time that its monotonic clock did not count, because its machine was suspended. */
  uncountedMs: number;
}

interface Event {
  at: number;
  order: number;
  host: Host | undefined;
  /** Set by the code of the host, so it counts by the clock of its machine. */
  isTimer: boolean;
  run: () => void;
  cancelled: boolean;
}

/** Time that passes only from event to event. The seed decides everything, so that a run can be repeated. */
export interface SimClock {
  now(): number;
  random(): number;
  /** A random number between the two. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** Runs later in the context of the host. A stopped host runs it when it wakes, a dead one never does. */
  after(ms: number, run: () => void, host?: Host, isTimer?: boolean): { cancel: () => void };
  within<T>(host: Host, run: () => T): T;
  stop(host: Host): void;
  wake(host: Host): void;
  /** Stops the host's machine until `wake`: its monotonic clock and its timers stand still with it. */
  suspend(host: Host): void;
  /** Runs all events of the next `ms`, and `check` after each. */
  runFor(ms: number, check: () => void): Promise<void>;
  /** Restores the real timers and the real clock. */
  uninstall(): void;
}

/** The wall clocks of all hosts at the beginning. */
const epochMs = 1_700_000_000_000;

/** Replaces the timers and the clocks of all code that runs within a host. Other code keeps the real ones. */
// oxlint-disable-next-line max-lines-per-function -- It replaces each timer of the platform, a few lines each.
export function installSimClock(seed: number): SimClock {
  const context = new AsyncLocalStorage<Host>();
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, now: performance.now };
  const realDateNow = Date.now;
  const random = mulberry32(seed);
  let events: Event[] = [];
  const deferred = new Map<Host, Event[]>();
  const suspendedAt = new Map<Host, number>();
  let time = 1_000;
  let orders = 0;

  const push = (event: Event): void => {
    let at = events.length;
    while (at > 0 && isBefore(event, events[at - 1] as Event)) at -= 1;
    events.splice(at, 0, event);
  };
  const delay = (event: Event, at: number): void => push(Object.assign(event, { at, order: ++orders }));
  const after: SimClock['after'] = (ms, run, host, isTimer = false) => {
    const event: Event = {
      at: time + Math.max(0, ms),
      order: ++orders,
      host,
      isTimer,
      run,
      cancelled: false,
    };
    push(event);
    return { cancel: () => void (event.cancelled = true) };
  };
  const every = (ms: number, run: () => void, host: Host): { cancel: () => void } => {
    let cancelled = false;
    const tick = (): void => {
      if (cancelled) return;
      run();
      next = after(ms, tick, host, true);
    };
    let next = after(ms, tick, host, true);
    return {
      cancel: () => {
        cancelled = true;
        next.cancel();
      },
    };
  };
  const perform = async (event: Event): Promise<void> => {
    const { host } = event;
    if (event.cancelled || host?.state === 'dead') return;
    if (host?.state === 'stopped') {
      deferred.get(host)?.push(event);
      return;
    }
    if (host) context.run(host, event.run);
    else event.run();
    // Waits until the promises that the event settled have run.
    await new Promise((resolve) => real.setImmediate(resolve));
  };

  install(context, real, () => time - (context.getStore()?.uncountedMs ?? 0), after, every);
  Date.now = () => (context.getStore() ? epochMs + time : realDateNow());

  const clock: SimClock = {
    now: () => time,
    random,
    between: (low, high) => low + random() * (high - low),
    pick: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number],
    after,
    within: (host, run) => context.run(host, run),
    stop: (host) => {
      if (host.state !== 'running') return;
      host.state = 'stopped';
      deferred.set(host, []);
    },
    suspend: (host) => {
      if (host.state === 'running') suspendedAt.set(host, time);
      clock.stop(host);
    },
    wake: (host) => {
      if (host.state !== 'stopped') return;
      host.state = 'running';
      const sleptMs = time - (suspendedAt.get(host) ?? time);
      host.uncountedMs += sleptMs;
      const isLate = (event: Event): boolean => sleptMs > 0 && event.isTimer && event.host === host;
      const timers = events.filter(isLate);
      events = events.filter((event) => !isLate(event));
      // Timers and sockets of a woken process run in random order.
      for (const event of deferred.get(host) ?? [])
        if (isLate(event)) timers.push(event);
        else delay(event, time + random());
      for (const event of timers) delay(event, event.at + sleptMs);
      deferred.delete(host);
      suspendedAt.delete(host);
    },
    runFor: async (ms, check) => {
      const end = time + ms;
      for (let event = events[0]; event && event.at <= end; event = events[0]) {
        events.shift();
        time = Math.max(time, event.at);
        await perform(event);
        check();
      }
      time = end;
    },
    uninstall: () => {
      events = [];
      Object.assign(globalThis, { ...real, now: undefined });
      performance.now = real.now;
      Date.now = realDateNow;
    },
  };
  return clock;
}

type Schedule = (ms: number, run: () => void, host: Host, isTimer: boolean) => { cancel: () => void };

function install(
  context: AsyncLocalStorage<Host>,
  real: { setTimeout: typeof setTimeout; now: () => number } & Record<string, unknown>,
  now: () => number,
  after: Schedule,
  every: Schedule,
): void {
  type Run = (...args: unknown[]) => void;
  const scheduler =
    (schedule: Schedule, fallback: unknown) =>
    (run: Run, ms = 0, ...args: unknown[]) => {
      const host = context.getStore();
      return host
        ? schedule(ms, () => run(...args), host, true)
        : (fallback as (run: Run, ms: number, ...args: unknown[]) => unknown)(run, ms, ...args);
    };
  const immediate =
    (fallback: unknown) =>
    (run: Run, ...args: unknown[]) => {
      const host = context.getStore();
      return host
        ? after(0, () => run(...args), host, true)
        : (fallback as (...sent: unknown[]) => unknown)(run, ...args);
    };
  const canceller = (fallback: unknown) => (handle: unknown) => {
    if (handle && typeof handle === 'object' && 'cancel' in handle) (handle.cancel as () => void)();
    else (fallback as (handle: unknown) => void)(handle);
  };
  Object.assign(globalThis, {
    setTimeout: scheduler(after, real['setTimeout']),
    setInterval: scheduler(every, real['setInterval']),
    setImmediate: immediate(real['setImmediate']),
    clearTimeout: canceller(real['clearTimeout']),
    clearInterval: canceller(real['clearInterval']),
  });
  performance.now = () => (context.getStore() ? now() : real.now.call(performance));
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A small random generator with a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
