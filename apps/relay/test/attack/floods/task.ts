/** What the flooder's process is told to do; plain data. Everything goes to `url`, which is on loopback. */
export interface FloodTask {
  kind: 'requests' | 'frames' | 'bodies' | 'attempts';
  url: string;
  ms: number;
  /** The first three numbers of the loopback addresses that it comes from, for example `127.30.1`. */
  network: string;
  /** How many addresses it comes from. */
  addresses: number;
  /** Requests, frames or connections in all per second; for `bodies`: connections that are held open. */
  perSecond: number;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** `{n}` in it becomes another number each time. With a `size` it is repeated until it has so many bytes. */
  body?: string;
  /** For frames and attempts. */
  clientId?: string;
  token?: string;
  frame?: string;
  /** The length of the frame or the body. */
  size?: number;
}

/** What became of a flood: how much was sent, and the answers by status or close code. */
export interface Sent {
  sent: number;
  outcomes: Record<string, number>;
}

export function createCount(): Sent & { add(outcome: string | number): void } {
  const outcomes: Record<string, number> = {};
  return {
    sent: 0,
    outcomes,
    add(outcome) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    },
  };
}

/** The addresses that a task comes from. */
export function addressesOf({ network, addresses }: FloodTask): string[] {
  return Array.from({ length: addresses }, (_, index) => {
    const [first, second, third] = network.split('.').map(Number);
    return `${first}.${second}.${Number(third) + Math.floor(index / 250)}.${1 + (index % 250)}`;
  });
}

/** Calls `act` so often per second until the time is over, in small bunches. */
export async function pace({ ms, perSecond }: FloodTask, act: (index: number) => void): Promise<void> {
  const startedAt = performance.now();
  let done = 0;
  for (;;) {
    const elapsed = performance.now() - startedAt;
    const due = Math.floor((Math.min(elapsed, ms) / 1000) * perSecond);
    while (done < due) act(done++);
    if (elapsed >= ms) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
