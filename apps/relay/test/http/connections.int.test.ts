import { waitFor } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import type { RawConnection } from '../raw-connection.ts';

const [ofAddress, inTotal] = [5, 12];
const proxy = '127.0.0.9';

let cluster: TestInstances;
let url: string;
const open: RawConnection[] = [];

beforeAll(async () => {
  cluster = await startInstances({
    config: { maxConnectionsPerAddress: ofAddress, maxConnections: inTotal, trustedProxies: [proxy] },
  });
  [{ url }] = cluster.instances;
});
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  await Promise.all(open.splice(0).map(({ closed }) => closed));
});
afterAll(() => cluster.stop());

/** Whether a new connection from there is served; it stays open then, and is not idle because its next request has begun. */
async function isServed(address: string, next = 'GET /li'): Promise<boolean> {
  const connection = openRaw(url, address);
  connection.socket.write(headOf('GET', '/livez') + next);
  open.push(connection);
  return (await connection.status()) === 200;
}

async function servedOf(count: number, address: string): Promise<number> {
  let served = 0;
  for (let index = 0; index < count; index++) if (await isServed(address)) served++;
  return served;
}

const refused = async (reason: string) => {
  const metric = await cluster.instances[0].registry
    .getSingleMetric('relay_connections_refused_total')
    ?.get();
  return metric?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0;
};

it('one address has so many connections and no more; others still find room, and a closed one makes room', async () => {
  expect(await servedOf(ofAddress + 2, '127.0.0.2')).toBe(ofAddress);
  expect(await refused('address')).toBe(2);
  expect(await isServed('127.0.0.3')).toBe(true);
  open[0]?.socket.destroy();
  await waitFor(() => isServed('127.0.0.2'));
  expect(cluster.logs.filter(({ setting }) => setting === 'MAX_CONNECTIONS_PER_ADDRESS')).toHaveLength(1);
});

it('a module’s socket is one of its address', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13 };
  const tryUpgrade = async () => {
    const connection = openRaw(url, '127.0.0.5');
    open.push(connection);
    const key = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    connection.socket.write(headOf('GET', '/relay?id=stranger', { ...upgrade, ...key }));
    return await connection.status();
  };
  for (let index = 0; index < ofAddress; index++) expect(await tryUpgrade()).toBe(101);
  expect(await tryUpgrade()).toBe(0);
  expect(await isServed('127.0.0.5')).toBe(false);
});

it('a trusted proxy’s connections are bounded in total only, and then nobody gets more', async () => {
  await waitFor(async () => {
    if ((await servedOf(1, proxy)) === 0) return false;
    return (await servedOf(inTotal, proxy)) === inTotal - 1;
  });
  expect(await isServed('127.0.0.4')).toBe(false);
  expect(await refused('total')).toBeGreaterThan(0);
});

it('where connections become scarce idle ones are closed, and no other is kept for long', async () => {
  const keptFor = () => /keep-alive: timeout=(\d+)/i.exec(open.at(-1)?.received() ?? '')?.[1];
  const idle: RawConnection[] = [];
  for (let index = 0; index < ofAddress; index++) expect(await isServed('127.0.0.6', '')).toBe(true);
  idle.push(...open);
  for (let index = 0; index < 4; index++) expect(await isServed('127.0.0.7')).toBe(true);
  expect(keptFor()).toBe('620');
  expect(idle.filter(({ socket }) => socket.destroyed)).toEqual([]);
  // Ten are above four fifths of twelve.
  expect(await isServed('127.0.0.7')).toBe(true);
  await Promise.all(idle.map(({ closed }) => closed));
  for (let index = 0; index < ofAddress; index++) expect(await isServed('127.0.0.8')).toBe(true);
  expect(keptFor()).toBe('5');
  expect(open.filter(({ socket }) => socket.destroyed)).toHaveLength(idle.length);
  for (const { socket } of open.slice(-ofAddress)) socket.destroy();
  // There is room again.
  await waitFor(async () => (await isServed('127.0.0.9', '')) && keptFor() === '620');
});
