import type { Endpoints } from '@tabletop-relay/contract';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { serve } from '../../src/endpoint-handler.ts';
import type { HandlersOf } from '../../src/endpoint-handler.ts';
import { startInstances } from '../instances.ts';

const endpoints = {
  tellOne: {
    method: 'GET',
    path: '/told/one',
    summary: 'One',
    auth: 'none',
    origin: 'any',
    answer: Type.Object({ inner: Type.Object({ name: Type.String() }) }),
  },
  downloadSome: {
    method: 'GET',
    path: '/told/some',
    summary: 'Some',
    auth: 'none',
    origin: 'any',
    answer: { download: 'some.json', description: 'Some.', schema: Type.Object({ name: Type.String() }) },
  },
} as const satisfies Endpoints;

// Wider than what they declare, as a handler that spreads a row would be.
const wide = { name: 'a', hash: 'b' };
const handlers: HandlersOf<typeof endpoints> = {
  tellOne: () => ({ inner: wide }),
  downloadSome: () => Promise.resolve(Readable.from([JSON.stringify(wide)])),
};

it.each(Object.values(endpoints))(
  'a field beyond what $path declares fails the test that met it',
  async ({ path }) => {
    const cluster = await startInstances({ endpoints: serve(endpoints, handlers) });
    const answer = await fetch(cluster.instances[0].url + path);
    expect(await answer.text()).toContain('hash');
    await expect(cluster.stop()).rejects.toThrow(`${path} 200`);
  },
);

it('a hook that is added for all answers sees the answer of a world too, however short', async () => {
  const seen: string[] = [];
  const cluster = await startInstances({
    onRoute: (route) =>
      (route.onSend = [...[route.onSend ?? []].flat(), (_request, _reply, answer, done) => {
        if (route.url === '/players') seen.push(String(answer));
        done(null, answer);
      }]), // prettier-ignore
  });
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  const module = await connectModule(url, await account.pair(), () => ({ data: [] }));
  const answer = await fetch(`${url}/players`, { headers: { 'x-api-key': await account.createKey() } });
  expect([await answer.text()]).toEqual(seen);
  await module.close();
  await cluster.stop();
});
