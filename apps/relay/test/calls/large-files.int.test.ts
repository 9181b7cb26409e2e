import { createTestDatabase, findFreePort, startRedis } from '@tabletop-relay/testing';
import type { FakeModule, TestDatabase, TestRedis } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRelayProcess } from '../process.ts';
import type { RelayProcess } from '../process.ts';

const fileBytes = 10_000_000;
/** Of what is sent before, so that each instance has compiled what it needs. */
const smallBytes = 300_000;
/** What one file may take of an instance that it passes, beside what the instance has anyway: see docs/performance.md. */
const budgets = {
  down: { asker: 8 * fileBytes, owner: 8 * fileBytes },
  up: { asker: 10 * fileBytes, owner: 8 * fileBytes },
};

let redis: TestRedis;
let database: TestDatabase;
let asker: RelayProcess;
let owner: RelayProcess;
let module: FakeModule;
let query: string;
let headers: Record<string, string>;

/** Bytes that compress badly. */
const file = Buffer.from(
  Uint8Array.from({ length: fileBytes }, (_, index) => (index * 31 + (index >> 8)) & 255),
);
const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
/** Of each download, by its path. Texts that are written once: the world is no part of what is measured. */
const answers = new Map(
  [file, file.subarray(0, smallBytes)].map((bytes): [string, string] => [
    String(bytes.length),
    `"success":true,"filename":"a.png","mimeType":"image/png","fileData":"${dataUrl(bytes)}"}`,
  ]),
);

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const start = async (instanceId: string) =>
    startRelayProcess({
      port: await findFreePort(),
      databaseUrl: database.url,
      redisUrl: redis.url,
      instanceId,
    });
  [asker, owner] = await Promise.all([start('asker'), start('owner')]);
  const account = await createAccount(asker.url);
  const pairing = await account.pair();
  module = await connectModule(owner.url, pairing, ({ type, requestId, path, fileData }) =>
    type === 'download-file'
      ? `{"type":"download-file-result","requestId":"${String(requestId)}",${answers.get(String(path))}`
      : { success: true, path: String((fileData as string).length) },
  );
  query = `clientId=${pairing.clientId}`;
  headers = { 'x-api-key': await account.createKey({ scopes: ['file:read', 'file:write'] }) };
});
afterAll(async () => {
  module.cut();
  await Promise.all([asker.end('SIGKILL'), owner.end('SIGKILL')]);
  await Promise.all([redis.stop(), database.drop()]);
});

async function download(bytes: number): Promise<Buffer> {
  const response = await fetch(`${asker.url}/download?${query}&path=${bytes}`, { headers });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function upload(bytes: Buffer<ArrayBuffer>): Promise<string> {
  const response = await fetch(`${asker.url}/upload?${query}&path=maps&filename=a.png`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/png' },
    body: bytes,
  });
  return ((await response.json()) as { path: string }).path;
}

const statusBytes = ({ pid }: RelayProcess, field: 'VmRSS' | 'VmHWM') =>
  1024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

interface Taken {
  asker: number;
  owner: number;
}

/** How much more memory each instance had at the most while this was done. */
async function memoryOf(act: () => Promise<unknown>): Promise<Taken> {
  const relays = { asker, owner };
  const before = Object.values(relays).map((relay) => {
    // The highest value begins anew here.
    writeFileSync(`/proc/${relay.pid}/clear_refs`, '5');
    return statusBytes(relay, 'VmRSS');
  });
  await act();
  const [ofAsker = 0, ofOwner = 0] = Object.values(relays).map(
    (relay, index) => statusBytes(relay, 'VmHWM') - before[index]!,
  );
  return { asker: ofAsker, owner: ofOwner };
}

const overBudget = (taken: Taken, most: Taken): string[] =>
  (['asker', 'owner'] as const).flatMap((name) =>
    taken[name] > most[name] ? [`${name}: ${taken[name]} bytes, and may take ${most[name]}`] : [],
  );

// Only Linux tells how much memory another process had at the most.
describe.runIf(process.platform === 'linux')(
  'a file of 10 MB between a caller and the world of another instance',
  () => {
    it('goes down whole, and takes of each instance no more than its budget', async () => {
      for (let turn = 0; turn < 10; turn++) await download(smallBytes);
      let got: Buffer | undefined;
      const taken = await memoryOf(async () => (got = await download(fileBytes)));
      expect(got?.equals(file)).toBe(true);
      expect(overBudget(taken, budgets.down)).toEqual([]);
    });

    it('goes up whole, and takes of each instance no more than its budget', async () => {
      for (let turn = 0; turn < 10; turn++) await upload(file.subarray(0, smallBytes));
      let got = '';
      const taken = await memoryOf(async () => (got = await upload(file)));
      expect(got).toBe(String(dataUrl(file).length));
      expect(overBudget(taken, budgets.up)).toEqual([]);
    });
  },
);
