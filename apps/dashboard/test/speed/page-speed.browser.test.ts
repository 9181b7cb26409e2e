import { createRelay, requestKey } from '@tabletop-relay/sdk';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../dashboard.ts';
import type { Person, TestDashboard } from '../dashboard.ts';
import { openOnSlowLine } from './slow-line.ts';
import type { Opened } from './slow-line.ts';

const rounds = 3;
const longestMs = 3_000;
/** No round is begun after it; one takes two minutes. */
const lastRoundAfterMs = 300_000;

interface MeasuredPage {
  name: string;
  address: string;
  /** What a person came for. */
  ready(page: Page): Locator;
  /** Whether it is opened by somebody who is signed in. */
  isSignedIn: boolean;
}

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });
const link = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const text = (words: string) => (page: Page) => page.getByText(words);

type Listed = readonly [name: string, address: string, ready: MeasuredPage['ready']];

const strangersPages: Listed[] = [
  ['Sign in', '/dashboard/sign-in', button('Sign in')],
  ['Register', '/dashboard/register', button('Open account')],
  ['Reference', '/docs', (page) => page.locator('.contents summary')],
  ['A call in the reference', '/docs/skill-check', text('application/json')],
  ['Guides', '/guides', link('Your first bot')],
  ['The longest guide', '/guides/security', title],
  ['Errors', '/errors', link('client_offline')],
  ['An error', '/errors/client_offline', title],
];

const mastersPages: Listed[] = [
  ['Tonight', '/dashboard', link('The Sunken Chapel')],
  ['Worlds', '/dashboard/worlds', link('The Sunken Chapel')],
  ['Pair a world', '/dashboard/pair', button('Make a code')],
  ['Hosted worlds', '/dashboard/sessions', title],
  ['Keys', '/dashboard/keys', link('A bot')],
  ['Create a key', '/dashboard/keys/new', button('Create key')],
  ['Try it', '/dashboard/try', (page) => page.getByRole('button', { name: 'Send call', disabled: false })],
  ['Activity', '/dashboard/activity', (page) => page.locator('.entry')],
  ['Notifications', '/dashboard/notifications', text('Add webhook')],
  ['Account', '/dashboard/account', link('Download export')],
];

const page = path.join(import.meta.dirname, '../../../../docs/page-speed.md');
/** `PAGES="Worlds,A world"` measures these alone, and shows their figures in place of writing the page. */
const wanted = process.env['PAGES']?.split(',');

let dashboard: TestDashboard;
let master: Person;
let pages: MeasuredPage[];
let close: () => void;
beforeAll(async () => {
  dashboard = await startDashboard();
  master = await dashboard.newPerson();
  await master.register();
  const world = await pairDemoWorld(master, dashboard.url);
  close = () => world.close();
  const worldPage = await link('See the world')(master.page).getAttribute('href');
  await master.page.goto('/dashboard/keys/new');
  await master.page.getByLabel('Name', { exact: true }).fill('A bot');
  await button('Create key')(master.page).click();
  const apiKey = await master.page.locator('.secret-value code').innerText();
  await button('I have stored it')(master.page).click();
  // A call, so that there is something to plot.
  const { sys5e } = createRelay({ url: dashboard.url, apiKey });
  await sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'prc' });
  // A page that is open elsewhere would work beside the measured one.
  await master.page.goto('about:blank');
  const { approvalUrl } = await requestKey({
    url: dashboard.url,
    appName: 'A bot',
    scopes: ['roll:execute'],
  });
  const found: Listed[] = [
    ['A world', worldPage ?? '', button('Ping')],
    ['Approve a program', new URL(approvalUrl).pathname, button('Deny')],
  ];
  pages = [
    ...strangersPages.map((one) => measured(one, false)),
    ...[...mastersPages, ...found].map((one) => measured(one, true)),
  ].filter(({ name }) => wanted?.includes(name) ?? true);
});
afterAll(async () => {
  close();
  await dashboard.stop();
});

const measured = ([name, address, ready]: Listed, isSignedIn: boolean): MeasuredPage => ({
  name,
  address: dashboard.url + address,
  ready,
  isSignedIn,
});

interface Visit {
  first: Opened;
  again: Opened;
}

/** A first visit with an empty cache, and a second one. */
async function visit({ address, ready, isSignedIn }: MeasuredPage): Promise<Visit> {
  const context = await newContext(isSignedIn);
  const first = await openOnSlowLine(context, address, ready);
  const again = await openOnSlowLine(context, address, ready);
  await context.close();
  return { first, again };
}

async function newContext(isSignedIn: boolean): Promise<BrowserContext> {
  const known = master.page.context();
  const context = await known
    .browser()
    ?.newContext(isSignedIn ? { storageState: await known.storageState() } : {});
  if (!context) throw new Error('the browser has gone');
  return context;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test('each page can be used within three seconds on a slow line', async () => {
  const visits = new Map<MeasuredPage, Visit[]>(pages.map((one) => [one, []]));
  const since = performance.now();
  for (let round = 0; round < rounds && performance.now() - since < lastRoundAfterMs; round++)
    for (const [one, before] of visits) before.push(await visit(one));
  const slow: string[] = [];
  const rows = [...visits].map(([{ name }, all]) => {
    const of = (figure: (one: Visit) => number) => median(all.map(figure));
    const first = of((one) => one.first.ms);
    if (!(first <= longestMs)) slow.push(`${name}: ${seconds(first)}`);
    const kilobytes = (of((one) => one.first.bytes) / 1_000).toFixed(0);
    const requests = of((one) => one.first.requests);
    return `| ${name} | ${kilobytes} KB | ${requests} | ${seconds(first)} | ${seconds(of((one) => one.again.ms))} |`;
  });
  if (wanted) process.stdout.write(`${rows.join('\n')}\n`);
  else writeFileSync(page, report(rows, Math.max(...[...visits.values()].map((all) => all.length))));
  expect(slow).toEqual([]);
}, 480_000);

const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never');

function report(rows: readonly string[], visitsEach: number): string {
  return `${[
    '# How fast pages open',
    '',
    'Written by `pnpm test:slow`. Chromium opens each page of a relay on this machine over its own "Slow 4G" (1.4 Mbit/s, 560 ms',
    'to and fro) with a processor four times slower: once with an empty cache, and again. The time ends when what a person came for',
    'can be seen and no part of the page says that it is busy: the worlds, the keys, the button to press. Transfer and requests are',
    `those of the first visit, compressed, with all that comes later, such as plots. Medians of ${visitsEach}. The bound is 3 s.`,
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? 'unknown'}`,
    '',
    '| Page | Transfer | Requests | First visit | Second visit |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}
