import { startDemoWorld } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { version } from '@tabletop-relay/process';
import { waitFor } from '@tabletop-relay/testing';
import { call, createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildPage } from '../../../apps/demo-world/test/build-page.ts';
import { tryTheWay } from '../../../apps/relay/test/soak/acceptance.ts';
import { isWholeSystem } from '../acceptance/contents.ts';
import type { Deployment } from '../acceptance/deployment.ts';

/** What does not work of what a whole deployment promises, tried from outside while it runs. */
export async function tryAll(deployment: Deployment): Promise<string[]> {
  const { outside, processes, migrations } = deployment;
  const account = await createAccount(outside.publicUrl);
  const [first, second] = migrations;
  const checks = await Promise.all([
    tryTheWay(outside.publicUrl),
    tryMessages(deployment, account),
    ...(processes.has('browser-host') ? [trySession(deployment, account)] : []),
    tryDoctor(deployment),
    tryFiles(deployment),
    ...[...processes].map(async ([name, one]) => keep(`${name} is healthy`, await one.isHealthy())),
  ]);
  return [
    ...keep('an empty database is migrated', first?.code === 0 && first.output.startsWith('applied ')),
    ...keep('a second migration finds nothing to do', second?.output === 'the database is up to date\n'),
    ...checks.flat(),
  ];
}

/** Stops each process as a container is stopped. */
export async function tryToStop({ processes }: Deployment): Promise<string[]> {
  const ends = [...processes].map(async ([name, one]) => {
    const { code, signal, output } = await one.stop();
    return keep(`${name} ends by itself: ${code} ${signal} ${output}`, code === 0);
  });
  return (await Promise.all(ends)).flat();
}

/** The promise where it is broken. */
export const keep = (promise: string, isKept: boolean): string[] => (isKept ? [] : [promise]);

/** Mails and webhooks, of a relay and of the worker, which collects what happens for ten seconds. */
async function tryMessages({ outside }: Deployment, account: TestAccount): Promise<string[]> {
  const { mailServer, receiver, publicUrl } = outside;
  const mails = () => mailServer.mails.filter(({ to }) => to === account.email);
  const token = await waitFor(() => /confirm-email#(trr_\w+)/.exec(mails()[0]?.source ?? '')?.[1]);
  const confirmed = await call(publicUrl, 'POST', '/auth/confirm-email', { body: { token } });
  const events = {
    connect: true,
    disconnect: true,
    metadataMismatch: true,
    duplicateRejected: true,
    security: true,
  };
  const { body } = await account.as('PUT', '/auth/notification-settings', {
    events,
    webhooks: [{ kind: 'standard', url: receiver.url }],
    email: { enabled: true },
    batchSeconds: 10,
  });
  const [webhook] = (body['webhooks'] ?? []) as { id: string }[];
  const tested = await account.as('POST', '/auth/notification-settings/test', { webhookId: webhook?.id });
  await account.createKey();
  const isTold = () => mails().length > 1 && receiver.received.length > 1;
  const told = await waitFor(isTold, { timeoutMs: 40_000 }).catch(() => false);
  return [
    ...keep('a relay mails', confirmed.status === 200),
    ...keep('a relay reaches a webhook', tested.body['delivered'] === true),
    ...keep('the worker mails and reaches a webhook', told),
  ];
}

/** What `/sdk/` serves, and what of it the image has to hold. */
const servedFiles = [
  { from: 'sdk/dist', file: `tabletop-relay-sdk-${version}.tgz` },
  { from: 'module-sdk/dist', file: `tabletop-relay-module-sdk-${version}.tgz` },
  { from: 'cli/dist', file: 'tabletop.mjs' },
  { from: 'cli/dist', file: `tabletop-relay-cli-${version}.tgz` },
  { from: 'sdk-python/src', file: `tabletop_relay-${version}-py3-none-any.whl`, isPackedWhenAsked: true },
];

/** What people fetch from a relay, as its image holds it: SDKs, command line and wheel, and the module with its zip. */
async function tryFiles({ outside: { publicUrl }, processes }: Deployment): Promise<string[]> {
  const folder = processes.get('relay-1')?.placed.folder ?? '';
  // Images hold all; a folder that was put together here holds what was built here.
  const held = servedFiles.filter(
    ({ from, file, isPackedWhenAsked }) =>
      isWholeSystem(folder) || existsSync(path.join(folder, 'packages', from, isPackedWhenAsked ? '' : file)),
  );
  const served = await Promise.all(
    held.map(async ({ file }) => {
      const { ok, status, url } = await fetch(`${publicUrl}/sdk/${file}`);
      return { isKept: ok && url.includes(version), told: `${file}: ${status} ${url}` };
    }),
  );
  const { body } = await call(publicUrl, 'GET', '/module/module.json');
  const download = String(body['download']);
  const zip = await fetch(download);
  const start = Buffer.from(await zip.arrayBuffer()).toString('latin1', 0, 2);
  return [
    ...keep(
      `a relay serves what it has for programs: ${served.map(({ told }) => told).join()}`,
      served.length > 0 && served.every(({ isKept }) => isKept),
    ),
    ...keep(`its module names a zip of this relay: ${download}`, download.startsWith(`${publicUrl}/module/`)),
    ...keep(`and serves that zip: ${zip.status}`, zip.ok && start === 'PK'),
  ];
}

/** A world that has its game master's tab at the browser host. */
async function trySession({ outside }: Deployment, account: TestAccount): Promise<string[]> {
  const { publicUrl } = outside;
  const page = await buildPage();
  const password = 'a demo password';
  const world = await startDemoWorld({
    relayUrl: publicUrl,
    storage: memoryStorage(),
    pageDir: page.pageDir,
    passwords: { Ada: password },
  });
  try {
    const key = await account.createKey();
    const sessions = sessionCaller(publicUrl, key);
    const address = await outside.addressOf('tabletop', () => world.url);
    const started = await sessions.logIn({
      tabletopUrl: `http://${address}/login`,
      username: 'Ada',
      password,
    });
    const { sessionId, clientId } = started.body as { sessionId: string; clientId: string };
    const check = await call(publicUrl, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
      headers: { 'x-api-key': key },
      body: { actorUuid: 'Actor.mira', skill: 'prc' },
    });
    const ended = await sessions.end(sessionId);
    return [
      ...keep(`a session starts: ${JSON.stringify(started.body)}`, started.status === 200),
      ...keep('its world is called', check.status === 200),
      ...keep('a session ends', ended.status === 200),
    ];
  } finally {
    await world.close();
    await page.remove();
  }
}

/** The command line of the image finds nothing wrong with what it runs beside. */
async function tryDoctor({ processes }: Deployment): Promise<string[]> {
  const { code, output } = (await processes
    .get('relay-1')
    ?.execute(['node', 'apps/relay/src/admin.ts', 'doctor', '--json'])) ?? { code: null, output: '' };
  return keep(`the doctor finds nothing wrong: ${output}`, code === 0);
}
