import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../processes/chromium.ts';
import { startFoundryWorld } from './foundry-world.ts';
import type { FoundryTab, FoundryWorld } from './foundry-world.ts';
import type { ServerOptions } from './server/server.js';

type Pair = Pick<ServerOptions, 'core' | 'dnd5e'>;

/** A module that tells what it was called for, and answers a query. */
const probe = {
  manifest: {
    id: 'probe',
    title: 'Probe',
    esmodules: ['probe.js'],
    socket: true,
    languages: [{ lang: 'en', path: 'en.json' }],
  },
  files: {
    'probe.js': `const told = [];
globalThis.told = told;
told.push('game' in globalThis ? 'game too early' : 'script');
for (const hook of ['init', 'i18nInit', 'setup', 'canvasReady', 'ready']) Hooks.once(hook, () => told.push(hook));
Hooks.once('init', () => {
  game.settings.register('probe', 'shared', { scope: 'world', default: 'none', type: String, onChange: (value) => told.push('shared ' + value) });
  game.settings.register('probe', 'own', { scope: 'client', default: 'none', type: String });
  if (CONFIG.Combat && 'queries' in CONFIG) CONFIG.queries['probe.sum'] = ({ a, b }) => a + b;
});
Hooks.once('ready', () => game.socket.on('module.probe', (data, sender) => told.push('socket ' + data + ' of ' + sender)));
for (const hook of ['combatStart', 'combatTurnChange', 'updateCombat', 'userConnected']) Hooks.on(hook, () => told.push(hook));`,
    'en.json': '{"PROBE":{"Hello":"Hello {name}"}}',
  },
};

/** Each in its own world: what is strict, what lies where, and who hears what. */
export function testWorlds(pairs: readonly Pair[]): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  for (const pair of pairs) {
    describe(`Foundry ${pair.core} with dnd5e ${pair.dnd5e}`, () => {
      testWorld(pair, () => browser);
    });
  }
}

interface Place extends Pair {
  world: FoundryWorld;
  ada: FoundryTab;
  dora: FoundryTab;
  browser(): Browser;
}

function testWorld(pair: Pair, browser: () => Browser): void {
  // Filled before the tests run.
  const at = { ...pair, browser } as Place;
  beforeAll(async () => {
    const worlds = [
      { id: 'first', title: 'First' },
      { id: 'second', title: 'Second' },
    ];
    at.world = await startFoundryWorld({ ...pair, modules: [probe], worlds });
    at.ada = await at.world.join(await browser().newContext(), 'Ada');
    at.dora = await at.world.join(await browser().newContext(), 'Dora');
  });
  afterAll(() => at.world.close());
  beforeEach(() => Promise.all([at.ada, at.dora].map((tab) => tab.page.evaluate(forget))));
  testStrictness(at);
  testSharing(at);
  testMachine(at);
}

function testStrictness(at: Place): void {
  const { core } = at;
  it('runs a module through its start, in order', async () => {
    expect(await at.ada.page.evaluate('told.slice(0, 6)')).toEqual([
      'script',
      'init',
      'i18nInit',
      'setup',
      'canvasReady',
      'ready',
    ]);
    expect(await at.ada.page.evaluate(`game.i18n.format('PROBE.Hello', { name: 'Ada' })`)).toBe('Hello Ada');
    expect(await at.ada.page.evaluate('game.release.generation')).toBe(core);
  });

  it('an unknown member throws its name, and is noted though the error is swallowed', async () => {
    const names = [
      'game.bogus',
      'game.actors.bogus',
      `game.actors.contents[0].bogus`,
      'Combat.bogus',
      'CONFIG.bogus',
      'ui.bogus',
    ];
    for (const name of [
      ...names,
      'foundry.utils.bogus',
      'CONST.BOGUS',
      'game.actors.contents[0].system.attributes.bogus',
    ]) {
      expect(await thrown(at.ada, name), name).toMatch(/bogus is no member/i);
    }
    await at.ada.page.evaluate('try { game.users.bogus } catch {}');
    expect((await at.ada.records()).unknown).toContain('Users#bogus');
    expect(await at.ada.page.evaluate(`['bogus' in game, 'users' in game]`)).toEqual([false, true]);
  });

  it('members are those of the version, and deprecated ones are noted', async () => {
    const since = (generation: number) => (core >= generation ? 'undefined' : 'is no member');
    expect(await thrown(at.ada, 'void game.scenes.active.tokens.contents[0].move')).toContain(since(13));
    expect(await thrown(at.ada, 'void foundry.applications.ux')).toContain(since(13));
    expect(await thrown(at.ada, 'void game.scenes.active.levels')).toContain(since(14));
    expect(await thrown(at.ada, 'void ChatMessage.applyMode')).toContain(since(14));
    expect(await thrown(at.ada, 'void game.scenes.active.background')).toContain(
      core === 14 ? 'is no member' : 'undefined',
    );
    await at.ada.page.evaluate('void game.scenes.active.darkness').catch(() => undefined);
    await at.ada.page.evaluate('void globalThis.FilePicker');
    const { deprecated } = await at.ada.records();
    expect(deprecated.includes('global FilePicker')).toBe(core >= 13);
    expect(deprecated.includes('Scene#darkness')).toBe(core < 14);
    await at.ada.page.evaluate(`Hooks.on('activateScene', () => undefined)`);
    expect((await at.ada.records()).unknown).toContain('hook activateScene');
  });

  it('what a version has is built, but for a list', async () => {
    const missing = await at.ada.page.evaluate<string[]>('standIn.notBuilt()');
    expect(missing.filter((name) => !notBuilt.test(name))).toEqual([]);
  });

  it('the old setting of roll modes is readable before 14 alone', async () => {
    const read = `game.settings.get('core', 'rollMode')`;
    expect(await at.ada.page.evaluate(read)).toBe(core < 14 ? 'publicroll' : null);
    expect((await at.ada.records()).unknown).toEqual(core < 14 ? [] : ['setting core.rollMode']);
  });
}

function testSharing(at: Place): void {
  const { dnd5e } = at;
  it('a change, its hooks and the sender of a message reach the other browser', async () => {
    await at.ada.page.evaluate(`(async () => {
      const combat = await Combat.create({ scene: game.scenes.active.id, active: true });
      const { tokens } = game.scenes.active;
      const entries = tokens.map((token) => ({ tokenId: token.id, sceneId: token.parent.id, actorId: token.actorId }));
      await combat.createEmbeddedDocuments('Combatant', entries);
      await combat.rollAll();
      await combat.startCombat();
      await combat.nextTurn();
      game.socket.emit('module.probe', 'hello');
    })()`);
    await at.dora.page.waitForFunction(`told.some((entry) => entry.startsWith('socket'))`);
    const heard = await at.dora.page.evaluate<string[]>('told');
    expect(heard).toContain('socket hello of gmAda00000000000');
    expect(
      await at.dora.page.evaluate('[game.combat.round, game.combat.turn, game.combat.turns.length]'),
    ).toEqual([1, 1, 3]);
    expect(heard.filter((entry) => entry === 'combatTurnChange')).toHaveLength(2);
    // Only the browser that starts it hears the start.
    expect(heard).not.toContain('combatStart');
    expect(await at.ada.page.evaluate('told')).toContain('combatStart');
    expect(await at.ada.page.evaluate('told')).not.toContain('socket hello of gmAda00000000000');
  });

  it('a player changes what is hers alone, and the server says so', async () => {
    const update = (name: string) =>
      at.dora.page.evaluate(
        `game.actors.getName('${name}').update({ 'system.currency.gp': 5 }).then(() => 'done', ({ message }) => message)`,
      );
    expect(await update('Akra')).toBe('done');
    expect(await update('Tovin')).toContain('lacks permission to update Actor [Tovin]');
    expect(await at.ada.page.evaluate(`game.actors.getName('Akra').system.currency.gp`)).toBe(5);
  });

  it('rolls have the form of the release', async () => {
    const call =
      dnd5e === '3.3'
        ? `rollSkill('ste', { fastForward: true, parts: ['2'] })`
        : `rollSkill({ skill: 'ste', rolls: [{ parts: ['2'] }] }, { configure: false }, {})`;
    await at.dora.fixDice(11);
    const rolled = await at.dora.page.evaluate(
      `game.actors.getName('Akra').${call}.then((rolls) => ({ isList: Array.isArray(rolls), total: [rolls].flat()[0].total }))`,
    );
    expect(rolled).toEqual({ isList: dnd5e !== '3.3', total: 11 + 4 + 2 });
    await expect.poll(() => at.ada.page.evaluate(`game.messages.contents.at(-1).rolls[0]?.total`)).toBe(17);
    const legacy = `game.actors.getName('Akra').rollConcentration({ rolls: [{ parts: ['3'] }], fastForward: true }, { configure: false }, {}).then(Array.isArray)`;
    expect(await at.ada.page.evaluate(legacy)).toBe(dnd5e >= '5.3');
  });

  it('client settings are the origin’s, settings of a world its own', async () => {
    await at.ada.page.evaluate(
      `game.settings.set('probe', 'own', 'mine').then(() => game.settings.set('probe', 'shared', 'ours'))`,
    );
    await expect.poll(() => at.dora.page.evaluate('told')).toContain('shared ours');
    expect(await at.dora.page.evaluate(read)).toEqual(['none', 'ours']);
    at.world.launch('second');
    const next = await at.world.join(at.ada.page.context(), 'Ada');
    expect(await next.page.evaluate(read)).toEqual(['mine', 'none']);
    expect(await next.page.evaluate('game.world.id')).toBe('second');
    at.world.launch('first');
  });
}

function testMachine(at: Place): void {
  it('a hidden tab gets no frames, timers once a second, and long chains of them once a minute', async () => {
    const { page } = at.ada;
    await page.evaluate(`globalThis.ticks = 0;
      globalThis.tick = () => setTimeout(() => { ticks += 1; tick(); }, 5);
      tick();`);
    await expect.poll(() => page.evaluate<number>('ticks')).toBeGreaterThan(10);
    const inHiddenTab = async (minutes: number) => {
      await at.ada.hide({ minutes });
      return page.evaluate<[number, number]>(`(async () => {
        const before = ticks;
        let frames = 0;
        requestAnimationFrame(() => { frames += 1; });
        await standIn.wait(1200);
        return [ticks - before, frames];
      })()`);
    };
    const [ticks, frames] = await inHiddenTab(0);
    expect(ticks).toBeGreaterThanOrEqual(1);
    expect(ticks).toBeLessThanOrEqual(2);
    expect(frames).toBe(0);
    expect(await inHiddenTab(5)).toEqual([0, 0]);
    expect(await page.evaluate('document.visibilityState')).toBe('hidden');
    await at.ada.show();
    await expect.poll(() => page.evaluate<number>('ticks')).toBeGreaterThan(20);
    await page.evaluate('globalThis.tick = () => undefined');
  });

  it('a machine that slept wakes and comes back', async () => {
    const tab = await at.world.join(await at.browser().newContext(), 'Ben');
    await tab.page.evaluate(`globalThis.woken = [];
      for (const type of ['freeze', 'resume']) document.addEventListener(type, () => woken.push(type));`);
    await tab.sleep();
    await tab.wake();
    expect(await tab.page.evaluate('woken')).toEqual(['freeze', 'resume']);
    await expect.poll(() => tab.page.evaluate('game.socket.connected')).toBe(true);
  });
}

/** Left out: the system's inner steps and rarer rolls, what only pictures need, and the players' list as a window. */
const notBuilt = new RegExp(
  [
    String.raw`^(D20|Damage)Roll\.|^Application\.|^(Players|PlayerList)#|^Canvas#(effects|interface|blurFilters|perception)$`,
    '^Actor#(_|autoSpendHitDice|rollHitDie|rollInitiativeDialog|calculateDamage|addRollExhaustion|addConditionRoll)',
    '^Actor#(promptConcentrationEnd|performBulkUpdate)|^ActiveEffect#_',
    '^Item#(rollRecharge|rollFormula|rollToolCheck|hasSave|consume|isOnCooldown|isOriginalClass)$|^(Part|Token)#',
  ].join('|'),
);

const read = `[game.settings.get('probe', 'own'), game.settings.get('probe', 'shared')]`;

const forget = `(() => { for (const list of [standIn.records.unknown, standIn.records.deprecated]) list.length = 0; told.length = Math.min(told.length, 6); })()`;

const thrown = (tab: FoundryTab, expression: string): Promise<string> =>
  tab.page.evaluate(
    `(() => { try { return String(${expression}); } catch (error) { return error.message; } })()`,
  );
