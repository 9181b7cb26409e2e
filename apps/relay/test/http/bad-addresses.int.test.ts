import { operations } from '@tabletop-relay/contract';
import { describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import { expectProblem, send } from '../problem.ts';
import { startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

describe('an address', () => {
  it('that is nowhere is 404', async () => {
    for (const path of ['/nothing', '/no-such-thing', '/sys5e', '/sys5e/skill-check/', '/a//b']) {
      const answer = await send('POST', relay.url + path, { headers: { 'x-api-key': relay.key } });
      expectProblem(relay.cluster, answer, { code: 'not_found', retryable: false });
    }
    const long = await send('GET', `${relay.url}/errors/${'x'.repeat(600)}`);
    expectProblem(relay.cluster, long, { code: 'not_found', retryable: false });
  });

  it.each(['/%zz', '/errors/%ff', '/sys5e/%', '/players%'])(
    'that cannot be read, %s, is 400',
    async (path) => {
      const answer = await send('GET', relay.url + path);
      expectProblem(relay.cluster, answer, { code: 'invalid_request' });
    },
  );

  it('takes its method alone, and says which', async () => {
    for (const { path, method } of operations) {
      const right = operations.filter((operation) => operation.path === path).map((one) => one.method);
      const wrong = ['GET', 'POST', 'PUT', 'PATCH'].find((one) => !right.some((each) => each === one)) ?? '';
      const answer = await send(wrong, relay.url + path, { headers: { 'x-api-key': relay.key } });
      expectProblem(relay.cluster, answer, { code: 'method_not_allowed' });
      expect(String(answer.headers['allow']).split(', ')).toContain(method);
      expect(String(answer.headers['allow']).split(', ')).not.toContain(wrong);
    }
  });

  it('is not found where it names a file that is not there', async () => {
    const answer = await send('GET', `${relay.url}/sdk/nothing.tgz`, {});
    expectProblem(relay.cluster, answer, { code: 'not_found' });
  });

  it('is refused by a foreign Host while there is no PUBLIC_URL, whatever the path, and does not repeat it', async () => {
    for (const path of ['/api/status', '/clients', '/dashboard', '/nothing', '/docs']) {
      for (const host of ['evil.example', 'localhost.evil.example', 'localhost:evil']) {
        const answer = await send('GET', relay.url + path, { headers: { host, 'x-api-key': relay.key } });
        expectProblem(relay.cluster, answer, { code: 'forbidden', type: /^\/errors\/forbidden$/ });
      }
    }
    const unreadable = await send('GET', `${relay.url}/%zz`, { headers: { host: 'evil.example' } });
    expectProblem(relay.cluster, unreadable, {
      code: 'invalid_request',
      type: /^\/errors\/invalid_request$/,
    });
  });

  it.each(['localhost:1', 'LOCALHOST:1', 'LocalHost', '127.0.0.1:1', '[::1]:1'])(
    'is answered by the loopback Host %s',
    async (host) => {
      expect((await send('GET', `${relay.url}/api/status`, { headers: { host } })).status).toBe(200);
      const { body } = await send('GET', `${relay.url}/nothing`, { headers: { host } });
      expect(body['type']).toBe(`http://${host.toLowerCase()}/errors/not_found`);
    },
  );

  it('answers any Host where PUBLIC_URL says who we are, and problems name that address', async () => {
    const published = await startInstances({
      databaseUrl: relay.cluster.databaseUrl,
      config: { publicUrl: 'https://relay.example' },
    });
    try {
      const answer = await send('GET', `${published.instances[0].url}/nothing`, {
        headers: { host: 'inner.example' },
      });
      expect(answer.body).toMatchObject({ type: 'https://relay.example/errors/not_found' });
    } finally {
      await published.stop();
    }
  });
});
