/** How long and how often is measured. */
export interface Scale {
  connections: readonly number[];
  rounds: number;
  /** Of one round. */
  seconds: number;
  /** What a way is called for, with many connections, before it is measured. */
  warmUpSeconds: number;
  idleClients: number;
  /** Numbers of simulated instances, and how long and how often each is measured. */
  boots: readonly number[];
  bootSeconds: number;
  bootRounds: number;
  /** Starts in a row, sessions at once, and how long handshakes are asked for. */
  headless: { starts: number; atOnce: number; handshakeSeconds: number };
  streams: {
    /** Of one world on one instance, and what they are told in a round. */
    listeners: number;
    fanOutEvents: number;
    fanOutPerSecond: number;
    /** Across instances. */
    eventsPerSecond: number;
    idleListeners: number;
  };
}

/** Minutes: what `docs/benchmarks.md` shows. */
export const fullScale: Scale = {
  connections: [32, 256],
  rounds: 7,
  seconds: 1.5,
  warmUpSeconds: 8,
  idleClients: 10_000,
  boots: [1, 3, 10, 30, 100],
  bootSeconds: 2,
  bootRounds: 3,
  headless: { starts: 10, atOnce: 5, handshakeSeconds: 15 },
  streams: {
    listeners: 1_000,
    fanOutEvents: 100,
    fanOutPerSecond: 20,
    eventsPerSecond: 1_000,
    idleListeners: 10_000,
  },
};

/** Seconds: shows that everything runs; its figures mean little. */
export const quickScale: Scale = {
  connections: [4],
  rounds: 1,
  seconds: 0.3,
  warmUpSeconds: 0.3,
  idleClients: 200,
  boots: [1, 3],
  bootSeconds: 0.3,
  bootRounds: 1,
  headless: { starts: 1, atOnce: 2, handshakeSeconds: 1 },
  streams: {
    listeners: 50,
    fanOutEvents: 10,
    fanOutPerSecond: 20,
    eventsPerSecond: 200,
    idleListeners: 200,
  },
};
