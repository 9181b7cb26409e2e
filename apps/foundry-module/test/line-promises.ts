import { AxeBuilder } from '@axe-core/playwright';
import { startFoundryWorld } from '@tabletop-relay/testing';
import type { FoundryPair, FoundryTab, FoundryWorld } from '@tabletop-relay/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard } from '../../dashboard/test/dashboard.ts';
import type { Person, TestDashboard } from '../../dashboard/test/dashboard.ts';
import { onEachGround } from './grounds.ts';
import { install, light, pair, press, standing } from './pairing.ts';

let dashboard: TestDashboard;

interface PairedElsewhere {
  token: string;
  clientId: string;
  relayUrl: string;
}

/** Pairs a world of its own as a module does that is told a code. */
const pairAnother = (page: Page): Promise<PairedElsewhere> =>
  page.evaluate(async () => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      return (await (
        await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json()) as never;
    };
    const { code } = (await post('/auth/pairing-codes', {})) as { code: string };
    return post('/auth/pair', { code, worldId: 'night-market', worldTitle: 'Elsewhere', systemId: 'dnd5e' });
  });

/** A module of a relay that is not ours, as far as two in one world meet: its two settings, and its socket. */
const another = (paired: PairedElsewhere) => ({
  manifest: { id: 'other', title: 'The other module', esmodules: ['other.js'] },
  files: {
    'other.js': `const paired = ${JSON.stringify(paired)};
let socket;
globalThis.other = { codes: [], start, stop: () => socket.close(1000) };
Hooks.once('init', () => {
  for (const [key, value] of [['clientId', paired.clientId], ['pairedRelayUrl', paired.relayUrl]])
    game.settings.register('other', key, { scope: 'world', config: false, type: String, default: value });
});
Hooks.once('ready', start);
function start() {
  socket = new WebSocket(paired.relayUrl + '?' + new URLSearchParams({ id: paired.clientId, worldId: game.world.id }));
  socket.onopen = () => socket.send(JSON.stringify({ type: 'auth', token: paired.token }));
  socket.onmessage = ({ data }) => {
    const { type, requestId } = JSON.parse(data);
    if (type === 'players') socket.send(JSON.stringify({ type: type + '-result', requestId, users: [{ id: 'x', name: 'of the other module' }] }));
  };
  socket.onclose = ({ code }) => other.codes.push(code);
}`,
  },
});

/** Nothing that the tabletop does not have, or will take away, and no error. */
async function expectClean(tab: FoundryTab): Promise<void> {
  expect(await tab.records()).toEqual({ unknown: [], deprecated: [], errors: [], notified: [] });
}

const calls = (masterKey: string) => async (method: string, path: string, body?: object) => {
  const response = await fetch(dashboard.url + path, {
    method,
    headers: { 'x-api-key': masterKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};

/** From the dashboard's card to the world that answers, in each of these. */
export function testLine(pairs: readonly FoundryPair[]): void {
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.stop());
  describe.each(pairs)('in Foundry $core with dnd5e $dnd5e', (pairOf) => {
    testLineIn(pairOf);
  });
}

// oxlint-disable-next-line max-lines-per-function -- One story: each test goes on where the one before it ended.
function testLineIn(pairOf: FoundryPair): void {
  let person: Person;
  let world: FoundryWorld;
  let ada: FoundryTab;
  let call: ReturnType<typeof calls>;

  beforeAll(async () => {
    person = await dashboard.newPerson();
    call = calls(await person.register());
  });
  afterAll(() => world.close());

  test('the dashboard’s address installs it, and tells of it', async () => {
    const { page } = person;
    await page.goto('/dashboard/worlds');
    const address = await page.locator('.install code').innerText();
    await page.getByText('It has not been asked for yet').waitFor();
    const modules = [await install(address)];
    await page.getByText('Foundry has the module').waitFor();
    expect(await page.getByText('This relay answers on this computer only').count()).toBe(1);
    const worlds = ['first', 'second'].map((id) => ({ id, title: `The ${id}` }));
    world = await startFoundryWorld({ ...pairOf, modules, worlds });
  });

  test('two presses lead to the first roll over HTTP, and nothing is typed', async () => {
    ada = await world.join(person.page.context(), 'Ada');
    const startedAt = performance.now();
    await pair(ada);
    const { status, body } = await call('POST', '/roll', { formula: '2d6 + 1' });
    expect([status, body]).toMatchObject([200, { data: { roll: { total: expect.any(Number) as number } } }]);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(await light(ada.page).innerText()).toBe('Connected');
    await expectClean(ada);
  });

  test('it plays: skills, an encounter, users and selection, as the user that a call names', async () => {
    await ada.fixDice(15);
    const actorUuid = 'Actor.acAkra0000000000';
    const check = { actorUuid, skill: 'prc', bonus: '2', createChatMessage: false };
    const checked = await call('POST', '/sys5e/skill-check', check);
    expect(checked).toMatchObject({ status: 200, body: { data: { actorUuid, skill: 'prc' } } });
    for (const [path, more] of [
      ['/sys5e/ability-check', { ability: 'str' }],
      ['/sys5e/ability-save', { ability: 'dex', advantage: true }],
      ['/sys5e/concentration-save', { damage: 30 }],
    ] as const)
      expect(await call('POST', path, { actorUuid, ...more }), path).toMatchObject({ status: 200 });
    expect(await call('POST', '/sys5e/skill-check', { ...check, userId: 'Emil' })).toMatchObject({
      status: 422,
      body: { reason: 'permission_denied' },
    });
    expect(await call('POST', '/select', { all: true })).toMatchObject({ status: 200 });
    const begun = await call('POST', '/start-encounter', { startWithSelected: true, rollAll: true });
    expect(begun).toMatchObject({ status: 200, body: { encounter: { round: 1, turn: 0 } } });
    expect(await call('POST', '/next-turn')).toMatchObject({ status: 200, body: { action: 'nextTurn' } });
    await expectHidesOthers(actorUuid);
    expect(await call('POST', '/end-encounter')).toMatchObject({ status: 200 });
    const players = await call('GET', '/players');
    expect(
      (players.body as unknown as { users: { name: string }[] }).users.map(({ name }) => name),
    ).toContain('Dora');
    expect((await call('GET', '/rolls')).body['data']).toHaveProperty('length');
    await expectClean(ada);
  });

  /** What Dora, who plays this actor, learns of a game master's selection and of who is hidden in the encounter. */
  async function expectHidesOthers(actorUuid: string): Promise<void> {
    const { body } = await call('POST', '/select', { name: 'Akra', userId: 'Dora' });
    expect(body['selected']).toEqual([expect.stringMatching(/\.Token\.tkAkra0{10}$/)]);
    expect((await call('POST', '/select', { name: 'nobody' })).body['count']).toBeGreaterThan(1);
    await ada.page.evaluate(`game.combat.updateEmbeddedDocuments('Combatant',
      game.combat.combatants.filter(({ name }) => name !== 'Akra').map(({ id }) => ({ _id: id, hidden: true })))`);
    await expect.poll(async () => (await call('POST', '/next-turn')).body['actorTurn']).toBe(actorUuid);
    const { status, body: moved } = await call('POST', '/next-turn', { userId: 'Dora' });
    expect([status, moved]).toMatchObject([200, { action: 'nextTurn' }]);
    expect(moved).not.toHaveProperty('actorTurn');
    expect(moved).not.toHaveProperty('tokenTurn');
  }

  test('idle it hears no hook and waits for nothing sooner than in ten seconds', async () => {
    const of = await world.join(await ada.page.context().browser()!.newContext(), 'Dora');
    const plain = await of.listeners();
    await of.page.context().close();
    expect(await ada.listeners()).toEqual(plain);
    const timers = () => ada.page.evaluate(() => (globalThis.standIn as unknown as Timers).timers());
    await expect
      .poll(async () => (await timers()).filter((timer) => timer.every !== undefined || timer.in < 9_000))
      .toEqual([]);
  });

  test('behind another tab for long it answers at once, and after sleep it comes back by itself', async () => {
    await ada.hide({ minutes: 5 });
    expect(await call('POST', '/roll', { formula: '1d6' })).toMatchObject({ status: 200 });
    expect(await call('GET', '/players')).toMatchObject({ status: 200 });
    await ada.show();
    await ada.sleep();
    await expect.poll(async () => (await call('GET', '/players')).status).not.toBe(200);
    await ada.wake();
    await expect.poll(async () => (await call('GET', '/players')).status).toBe(200);
    expect(await light(ada.page).innerText()).toBe('Connected');
    await expectClean(ada);
  });

  test('axe finds nothing in the window, on dark and light grounds', async () => {
    await light(ada.page).click();
    await standing(ada.page, 'connected');
    await onEachGround(ada.page, async () => {
      const { violations } = await new AxeBuilder({ page: ada.page })
        .setLegacyMode()
        .include('.tabletop-relay-window')
        .include('.tabletop-relay-lights')
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    });
  });

  test('the button tests what works, and its report tells nothing of people', async () => {
    await press(ada.page, 'Test what works here');
    const report = await ada.page.getByLabel('Report').inputValue();
    const { results } = JSON.parse(report) as { results: { ok: boolean }[] };
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(report).not.toMatch(/Ada|Akra|trc_|127\.0\.0\.1/);
  });

  // What follows is between browsers, tabs and relay: the tabletop's version has no part in it.
  if (pairOf.core < 14) return;

  test('of two tabs one serves, and the other takes over when that one closes', async () => {
    const second = await world.join(ada.page.context(), 'Ada');
    await expect.poll(() => light(second.page).innerText()).toBe('Another tab serves');
    await ada.page.close();
    await expect.poll(() => light(second.page).innerText()).toBe('Connected');
    ada = second;
    expect(await call('GET', '/players')).toMatchObject({ status: 200 });
  });

  test('another browser joins the world, waits for its turn, and takes it', async () => {
    const { page } = person;
    const context = await page.context().browser()!.newContext();
    await context.addCookies(await page.context().cookies());
    const ben = await world.join(context, 'Ben');
    await light(ben.page).click();
    const opened = context.waitForEvent('page');
    await press(ben.page, 'Pair with the relay');
    await press(await opened, 'Pair this browser');
    await standing(ben.page, 'standby');
    await ada.page.close();
    await standing(ben.page, 'connected');
    await expectClean(ben);
    // Nobody else is in the world: what players read holds no token.
    expect(JSON.stringify(world.world().documents)).not.toContain('trc_');
    await press(ben.page, 'Unpair this browser');
    await standing(ben.page, 'unpaired');
    await context.close();
  });

  test('a revoked pairing asks to be made again, and does so as the same world', async () => {
    ada = await world.join(person.page.context(), 'Ada');
    await expect.poll(() => light(ada.page).innerText()).toBe('Connected');
    await person.page.evaluate(async () => {
      const { items } = (await (await fetch('/auth/connection-tokens')).json()) as {
        items: { id: string }[];
      };
      for (const { id } of items) await fetch(`/auth/connection-tokens/${id}`, { method: 'DELETE' });
    });
    await expect.poll(() => light(ada.page).innerText()).toBe('Pair again');
    await light(ada.page).click();
    const opened = ada.page.context().waitForEvent('page');
    await press(ada.page, 'Pair again');
    const approval = await opened;
    await press(approval, 'Pair this browser');
    await standing(ada.page, 'connected');
    await approval.close();
    expect((await call('GET', '/clients')).body).toMatchObject({ total: 1 });
  });

  test('another module of the relay beside it: one serves at a time, and neither touches the other', async () => {
    await ada.page.close();
    const { page } = person;
    const paired = await pairAnother(page);
    const address = `${dashboard.url}/module/module.json`;
    const beside = await startFoundryWorld({ ...pairOf, modules: [await install(address), another(paired)] });
    const both = await beside.join(page.context(), 'Ada');
    await both.page.getByText('Pairing goes on as the same world').waitFor();
    const opened = page.context().waitForEvent('page');
    await press(both.page, 'Pair with the relay');
    const approval = await opened;
    // Its world is known to the relay, so that keys go on: this is one browser more, at an address that was not seen before.
    await approval.getByRole('checkbox', { name: /is my own tabletop/ }).check();
    await press(approval, 'Pair this browser');
    // The other one has the line.
    await standing(both.page, 'other-module');
    await approval.close();
    const { clientId } = paired;
    const masterWorld = async () => (await call('GET', `/players?clientId=${clientId}`)).body;
    expect(await masterWorld()).toMatchObject({ users: [{ name: 'of the other module' }] });
    await both.page.evaluate('other.stop()');
    await standing(both.page, 'connected');
    expect(JSON.stringify(await masterWorld())).toContain('Dora');
    // Now ours has it, and the other is told so.
    await both.page.evaluate('other.start()');
    await expect.poll(() => both.page.evaluate('other.codes')).toContain(4004);
    expect(await light(both.page).innerText()).toBe('Connected');
    expect(
      await both.page.evaluate(
        `['clientId', 'pairedRelayUrl'].map((key) => game.settings.get('other', key))`,
      ),
    ).toEqual([clientId, paired.relayUrl]);
    await expectClean(both);
    await press(both.page, 'Unpair this browser');
    await standing(both.page, 'unpaired');
    await both.page.close();
    await beside.close();
    ada = await world.join(page.context(), 'Ada');
  });

  test('two worlds of one server keep two tokens', async () => {
    await ada.page.close();
    world.launch('second');
    const other = await world.join(person.page.context(), 'Ada');
    await standing(other.page, 'unpaired');
    await pair(other);
    const tokens = () =>
      other.page.evaluate(() =>
        Object.entries(localStorage).filter(([, value]) => String(value).startsWith('trc_')),
      );
    expect((await tokens()).map(([key]) => key).toSorted()).toEqual([
      'tabletop-relay.first.connectionToken',
      'tabletop-relay.second.connectionToken',
    ]);
    expect((await call('GET', '/clients')).body).toMatchObject({ total: 3 });
    ada = other;
  });

  test('its start takes at most 30 ms of the main thread in a world of 2,000 documents', async () => {
    const { items = [] } = world.world().documents;
    const [one] = items;
    for (let count = items.length; count < 2_000; count++)
      items.push({ ...one, _id: `it${String(count).padStart(14, '0')}` });
    await ada.reload();
    const [measured] = await ada.page.evaluate(() =>
      performance.getEntriesByName('tabletop-relay:start').map(({ duration }) => duration),
    );
    expect(measured).toBeLessThanOrEqual(30);
  });
}

interface Timers {
  timers(): { in: number; every: number | undefined }[];
}
