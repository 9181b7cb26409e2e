import { version } from '@tabletop-relay/process';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';

/**
 * What callers, people and modules need of the way to the relay, tried from outside over HTTP and sockets alone. Returns
 * what does not work.
 */
export async function tryTheWay(url: string): Promise<string[]> {
  const broken: string[] = [];
  const check = (promise: string, isKept: boolean) => {
    if (!isKept) broken.push(promise);
  };
  const status = async (path: string) => (await fetch(url + path)).status;
  check('the dashboard is served', (await status('/dashboard/')) === 200);
  check('the documents are served', (await status('/openapi.json')) === 200);
  check('the instance is healthy', (await status('/api/health')) === 200);
  const wheel = await fetch(`${url}/sdk/tabletop_relay-${version}-py3-none-any.whl`);
  check('the Python SDK is served', wheel.status === 200 && (await wheel.bytes()).length > 10_000);
  const commandLine = await fetch(`${url}/sdk/tabletop.mjs`);
  check('the command line is served', (await commandLine.text()).startsWith('#!/usr/bin/env node\n'));
  check('metrics are not for callers', (await status('/metrics')) === 404);

  const account = await createAccount(url);
  const stream = await fetch(`${url}/auth/events`, {
    headers: { authorization: `Bearer ${account.sessionToken}` },
  });
  const reader = stream.body?.getReader();
  check('a stream begins at once', (await firstWithin(reader?.read(), 5_000)) !== undefined);

  const pairing = await account.pair();
  const text = 'x'.repeat(400_000);
  const module = await connectModule(url, pairing, () => ({ data: { text } }));
  check('a stream tells what happens', (await firstWithin(reader?.read(), 5_000)) !== undefined);
  await reader?.cancel();
  const headers = { 'x-api-key': await account.createKey() };
  const large = await call(url, 'GET', `/world-info?clientId=${pairing.clientId}`, { headers });
  check('a large answer comes through', (large.body['data'] as { text?: string })?.text === text);
  const body = {
    uuids: Array.from({ length: 20_000 }, (_, index) => `Scene.a.Token.${index}`.padEnd(40, 'x')),
  };
  const sent = await call(url, 'POST', `/select?clientId=${pairing.clientId}`, { headers, body });
  check('a large body comes through', sent.status === 200);
  await module.close();
  return broken;
}

async function firstWithin<T>(promise: Promise<T> | undefined, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms);
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
