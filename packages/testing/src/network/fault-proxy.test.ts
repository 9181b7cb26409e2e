import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from './fault-proxy.ts';

test('bytes keep their order, also when the latency is lowered while some are on their way', async () => {
  const server = net.createServer((socket) => socket.on('error', () => {}).pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = await startFaultProxy((server.address() as AddressInfo).port);
  const client = net.connect(proxy.port, '127.0.0.1').setNoDelay(true);
  onTestFinished(async () => {
    client.destroy();
    await proxy.close();
    server.close();
  });
  let heard = '';
  client.on('data', (bytes: Buffer) => (heard += bytes.toString()));

  proxy.latencyMs = 0;
  client.write('a');
  await expect.poll(() => heard).toBe('a');
  proxy.latencyMs = 200;
  for (const letter of 'bc') {
    client.write(letter);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  proxy.latencyMs = 0;
  client.write('d');
  await expect.poll(() => heard).toBe('abcd');
});
