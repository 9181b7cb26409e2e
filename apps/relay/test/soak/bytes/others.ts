import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { Pool } from 'undici';

/** Fifty tenants with a world each, which are called through another instance than the one that owns them. */
export interface Others {
  /** Calls all worlds in turn until `until` settles. */
  callUntil(until: Promise<unknown>): Promise<OthersCalls>;
  lostWorlds(): number;
  close(): Promise<void>;
}

export interface OthersCalls {
  latenciesMs: number[];
  failures: string[];
}

const everyMs = 5;

export async function createOthers(urls: readonly string[], count: number): Promise<Others> {
  const tenants = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const ownerUrl = urls[index % urls.length] ?? '';
      const account = await createAccount(ownerUrl);
      const pairing = await account.pair();
      const module = await connectModule(ownerUrl, pairing, () => ({ users: [] }));
      return {
        key: await account.createKey(),
        clientId: pairing.clientId,
        module,
        asker: (index + 1) % urls.length,
      };
    }),
  );
  const pools = urls.map((url) => new Pool(url, { connections: 16 }));
  let turn = 0;

  async function callOnce({ latenciesMs, failures }: OthersCalls): Promise<void> {
    const tenant = tenants[turn++ % tenants.length];
    const pool = tenant && pools[tenant.asker];
    if (!pool) return;
    const startedAt = performance.now();
    try {
      const path = `/players?clientId=${tenant.clientId}`;
      const answer = await pool.request({ method: 'GET', path, headers: { 'x-api-key': tenant.key } });
      const text = await answer.body.text();
      if (answer.statusCode === 200) latenciesMs.push(performance.now() - startedAt);
      else failures.push(`${answer.statusCode} ${text}`);
    } catch (error) {
      failures.push(String(error));
    }
  }

  return {
    async callUntil(until) {
      const calls: OthersCalls = { latenciesMs: [], failures: [] };
      const running: Promise<void>[] = [];
      // At its own pace, however long the answers take: whoever waits for the slow ones measures too few of them.
      const timer = setInterval(() => running.push(callOnce(calls)), everyMs);
      await until.finally(() => clearInterval(timer));
      await Promise.all(running);
      return calls;
    },
    lostWorlds: () => tenants.filter(({ module }) => module.socket.readyState !== module.socket.OPEN).length,
    async close() {
      await Promise.all(tenants.map(({ module }) => module.close()));
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
