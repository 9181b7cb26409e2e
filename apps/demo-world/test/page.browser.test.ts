import { memoryStorage } from '@tabletop-relay/module-sdk';
import { launchChromium } from '@tabletop-relay/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDemoWorld } from '../src/index.ts';
import type { DemoWorld } from '../src/index.ts';

const mira = '[data-token="Scene.chapel.Token.mira"]';

let browser: Browser;
let demo: DemoWorld;
/** What the pages of a test wrote to the console as an error or a warning. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  complaints = [];
  // No relay is there: the page has to work without one.
  demo = await startDemoWorld({
    relayUrl: 'ws://127.0.0.1:9',
    storage: memoryStorage(),
    seed: 7,
  });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await demo.close();
});

describe.each([
  { mode: 'the live view', query: '' },
  { mode: 'a world of its own', query: '?own' },
])('$mode', ({ query }) => {
  test('shows the scene with its tokens', async () => {
    const page = await open(query);
    await page.getByRole('group', { name: /^The Sunken Chapel: 8 tokens/ }).waitFor();
    await page.getByRole('button', { name: /^Theron Vale, 0 of 44 hit points, Dying/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])('fills a screen of %i by %i and scrolls into no blank', async (width, height) => {
    const page = await open(query, { viewport: { width, height } });
    await page.getByRole('group', { name: /^The Sunken Chapel: 8 tokens/ }).waitFor();
    const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(await beyond()).toBeLessThanOrEqual(0);
  });

  test('a check rolled by its button appears in the chat with its dice and total', async () => {
    const page = await open(query);
    await page.getByRole('button', { name: /Perception check/ }).click();
    await messages(page).getByText('Perception check').waitFor();
    const said = () => messages(page).innerText();
    await expect.poll(said).toMatch(/Mira Thornwood/);
    await expect.poll(said).toMatch(/\d+ on a d20\s+1d20 \+ \d\s+Total\s+\d/);
    expect(complaints).toEqual([]);
  });

  test('advantage rolls two dice and strikes one out', async () => {
    const page = await open(query);
    await page.getByRole('radio', { name: 'Advantage', exact: true }).check();
    await page.getByRole('button', { name: /Stealth check/ }).click();
    await expect.poll(() => page.locator('.dice li').count()).toBe(2);
    await expect.poll(() => page.locator('.dice li.is-dropped').count()).toBe(1);
  });

  test('next turn moves the mark in the tracker and on the map', async () => {
    const page = await open(query);
    const current = page.locator('.combatant[aria-current]');
    await current.filter({ hasText: 'Mira' }).waitFor();
    await page.getByRole('button', { name: 'Next turn' }).click();
    await current.filter({ hasText: 'Ghoul' }).waitFor();
    await page.getByRole('button', { name: /^Ghoul, .*has the turn/ }).waitFor();
  });

  test('a token can be dragged to another square', async () => {
    const page = await open(query);
    const token = page.locator(mira);
    // Waits until the map is laid out and the token stands still.
    await token.hover();
    const square = await squareOf(page);
    const box = (await token.boundingBox())!;
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + square, from.y + square / 2, { steps: 4 });
    await page.mouse.move(from.x + 3 * square, from.y + square, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Mira Thornwood, .*column 9, row 8$/ }).waitFor();
  });

  test('a token can be moved and selected by keyboard alone', async () => {
    const page = await open(query);
    await page.getByRole('button', { name: /^Borin Ironhand, .*column 9, row 9$/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /^Borin Ironhand, .*column 10, row 9$/ }).waitFor();
    await page.keyboard.press('Shift+Enter');
    const selected = page.locator('[data-token][aria-pressed="true"]');
    await selected.nth(1).waitFor();
    await page.keyboard.press('Escape');
    await selected.first().waitFor({ state: 'detached' });
  });

  test('the fight can be ended and begun again', async () => {
    const page = await open(query);
    await page.getByRole('button', { name: 'End fight' }).click();
    await page.getByRole('button', { name: 'Begin with everybody' }).click();
    await page.getByRole('button', { name: 'Next turn' }).waitFor();
    await page.locator('.combatant').nth(7).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the live view', () => {
  test('a call appears with its operation, user and outcome as it arrives', async () => {
    const page = await open('');
    await page.locator(mira).waitFor();
    await demo.world.receive({
      requestId: 'skill-check_1',
      operation: 'skill-check',
      parameters: { actorUuid: 'Actor.mira', skill: 'arc' },
      userId: 'ben',
    });
    const calls = page.getByRole('log', { name: 'Calls from the relay' });
    await expect.poll(() => calls.innerText()).toMatch(/skill-check\s+as Ben · (< 1|\d+) ms · answered/);
    await messages(page).getByText('Arcana check').waitFor();
  });

  test('scenes, what lies on them and what is heard change as calls change them', async () => {
    const page = await open('');
    await page.locator(mira).waitFor();
    const answer: typeof demo.world.answer = (...call) => demo.world.answer(...call);
    const on = page.getByRole('img', { name: /^On the scene: / });
    const note = { x: 6, y: 4, text: 'Wet footprints' };
    const { data } = answer('create-canvas-document', { documentType: 'notes', data: note });
    await on.getByText('Wet footprints').waitFor();
    const documentId = String(data[0]?.['_id']);
    answer('update-canvas-document', { documentType: 'notes', documentId, data: { text: 'Dry again' } });
    await on.getByText('Dry again').waitFor();
    answer('delete-canvas-document', { documentType: 'notes', documentId });
    await on.getByText('Dry again').waitFor({ state: 'detached' });

    answer('move-token', { name: 'Mira Thornwood', x: 3, y: 3 });
    await page.getByRole('button', { name: /^Mira Thornwood, .*column 4, row 4$/ }).waitFor();

    const heard = page.getByRole('status', { name: 'Playing' });
    await heard.getByText('Dripping water').waitFor();
    answer('playlist-next', { playlistId: 'depths' });
    answer('play-sound', { src: 'sounds/bell.ogg' });
    await expect.poll(() => heard.innerText()).toBe('Distant chant The depths, 50 %\nbell.ogg once, 50 %');
    answer('playlist-stop', { playlistId: 'depths' });
    answer('stop-sound', {});
    await heard.waitFor({ state: 'detached' });

    answer('switch-scene', { name: 'The Crypt Below' });
    await page.getByRole('group', { name: /^The Crypt Below: 1 token/ }).waitFor();
    answer('delete-scene', { active: true });
    await page.getByText('No scene is shown').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what the world refuses is told, and can be dismissed', async () => {
    const page = await open('');
    const say = page.getByRole('textbox', { name: 'Say something or roll a formula' });
    await say.fill('2d0');
    await say.press('Enter');
    const notice = page.getByRole('alert').locator('.notice');
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('a world that goes away is shown as stale, and nothing can be done until it is back', async () => {
    const page = await open('');
    const next = page.getByRole('button', { name: 'Next turn' });
    await next.waitFor();
    const { port } = new URL(demo.url);
    await demo.close();
    await page.getByText(/^Not live: as it was at/).waitFor();
    await expect.poll(() => next.isDisabled()).toBe(true);
    demo = await startDemoWorld({
      relayUrl: 'ws://127.0.0.1:9',
      storage: memoryStorage(),
      port: Number(port),
    });
    await expect.poll(() => next.isEnabled(), { timeout: 30_000 }).toBe(true);
  });
});

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' });

async function open(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(`${demo.url}${query}`);
  return page;
}

/** Pixels per grid square, told by two tokens whose columns are known. */
async function squareOf(page: Page): Promise<number> {
  const middle = async (id: string) => {
    const box = await page.locator(`[data-token="Scene.chapel.Token.${id}"]`).boundingBox();
    return box!.x + box!.width / 2;
  };
  return ((await middle('theron')) - (await middle('mira'))) / 7;
}
