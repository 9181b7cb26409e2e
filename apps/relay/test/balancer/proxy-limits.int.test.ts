import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { findDebianProgram } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exampleIn, readPage } from '../../../../docs/markdown-files.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import type { RawConnection } from '../raw-connection.ts';
import { startBalancer } from './balancer.ts';
import type { Balancer } from './balancer.ts';

/** As MAX_CONNECTIONS_PER_ADDRESS. */
const ofAddress = 500;

describe.each(['haproxy', 'nginx'] as const)('%s with its file of deploy/proxy', (proxy) => {
  const relay = createServer((_request, response) => response.end('{}'));
  let balancer: Balancer;

  beforeAll(async () => {
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    balancer = await startBalancer([(relay.address() as AddressInfo).port], proxy, { boundsAddress: true });
  });
  afterAll(async () => {
    await balancer.stop();
    relay.closeAllConnections();
    relay.close();
  });

  const ask = async (
    address: string,
    headers: Record<string, string> = {},
    more = '',
  ): Promise<RawConnection> => {
    const connection = openRaw(balancer.url, address);
    onTestFinished(() => void connection.socket.destroy());
    connection.socket.write(headOf('GET', '/livez', headers) + more);
    await connection.status();
    return connection;
  };

  it('refuses a head above 16 KiB, and passes one of 8 KiB', async () => {
    expect(await (await ask('127.0.0.2', { x: 'y'.repeat(8_000) })).status()).toBe(200);
    expect([400, 413, 414, 431]).toContain(
      await (await ask('127.0.0.2', { x: 'y'.repeat(17_000) })).status(),
    );
  });

  it('lets one address have 500 connections, and others find room', async () => {
    let served = 0;
    for (let index = 0; index < ofAddress + 10; index++) {
      // The next request has begun, so the connection counts at nginx, too, which counts none that is idle.
      const connection = await ask(
        '127.0.0.3',
        {},
        'GET /livez HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n',
      );
      if ((await connection.status()) === 200) served++;
    }
    expect(served).toBeGreaterThan(ofAddress - 10);
    expect(served).toBeLessThanOrEqual(ofAddress);
    expect(await (await ask('127.0.0.4')).status()).toBe(200);
  });
});

it('haproxy takes the file that the page on deploying shows', async () => {
  const { command, env } = await findDebianProgram('haproxy');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-haproxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'haproxy.cfg');
  // Its certificate is the reader's.
  const shown = exampleIn(readPage('docs/operations/deploy.md'), 'haproxy');
  writeFileSync(file, shown.replace(/ ssl crt .*/, ''));
  const check = (name: string) => spawnSync(command, ['-c', '-f', name], { env: { ...process.env, ...env } });
  expect(check(file)).toMatchObject({ status: 0 });
  writeFileSync(file, shown.replace(/ ssl crt .*/, '').replace('retry-on', 'retry-of'));
  expect(check(file).status).not.toBe(0);
});
