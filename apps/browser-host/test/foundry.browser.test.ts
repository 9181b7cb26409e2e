import { foundryPairs, startFoundryStandIn, startFoundryWorld } from '@tabletop-relay/testing';
import type { FoundryStandIn, FoundryStandInOptions } from '@tabletop-relay/testing';
import { call } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { install } from '../../foundry-module/test/pairing.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  await rig.startHost({ headlessStageMs: 15_000 });
});
afterAll(() => rig.stop());

const users = [
  { id: 'gm', name: 'Gamemaster', password: 'a secret', isGM: true },
  { id: 'open', name: 'Without password', password: '', isGM: true },
  { id: 'player', name: 'Player', password: '', isGM: false },
  { id: 'busy', name: 'Busy', password: '', isGM: true, active: true },
];
const worlds = [
  { id: 'keep', title: 'The Keep' },
  { id: 'old-keep', title: 'The Old Keep', mustMigrate: true },
];
const asGm = { username: 'Gamemaster', password: 'a secret' };

/** The world runs unless told otherwise. */
type Options = Partial<Omit<FoundryStandInOptions, 'running'>> & { running?: string | undefined };

async function start(given: Options = {}): Promise<FoundryStandIn> {
  const { running = 'keep', ...options } = given;
  const isStopped = 'running' in given && given.running === undefined;
  const standIn = await startFoundryStandIn({
    version: 13,
    worlds,
    users,
    ...options,
    ...(!isStopped && { running }),
  });
  onTestFinished(() => standIn.close());
  return standIn;
}

type Login = Partial<Parameters<Rig['sessions']['logIn']>[0]>;

const logIn = (standIn: FoundryStandIn, login: Login = {}) =>
  rig.sessions.logIn({ tabletopUrl: standIn.url, ...asGm, ...login });

async function isCalled(clientId: unknown): Promise<boolean> {
  const path = `/sys5e/skill-check?clientId=${String(clientId)}`;
  const body = { actorUuid: 'Actor.a', skill: 'prc' };
  return (
    (await call(rig.second.url, 'POST', path, { headers: { 'x-api-key': rig.key }, body })).status === 200
  );
}

describe.each([11, 12, 13, 14] as const)('at Foundry VTT %i', (version) => {
  it('the world is started by its title, joined, paired and called, though a tour lies over the pages', async () => {
    const standIn = await start({ version, running: undefined, popUp: true });
    const { body } = await logIn(standIn, { worldName: 'The Keep' });
    expect(body).toMatchObject({ success: true });
    expect(await isCalled(body['clientId'])).toBe(true);
    expect(standIn.state.settings).toEqual({
      clientId: body['clientId'],
      pairedRelayUrl: `${rig.first.url.replace('http', 'ws')}/relay`,
    });
    await rig.sessions.end(String(body['sessionId']));
  });
});

describe('at Foundry VTT', () => {
  it('a user without a password joins a world that runs', async () => {
    const { body } = await logIn(await start(), { username: 'Without password', password: '' });
    expect(body['success']).toBe(true);
    await rig.sessions.end(String(body['sessionId']));
  });

  it('a start that is ended before its module connects leaves the world’s settings as they were', async () => {
    const standIn = await start({ isModuleStuck: true });
    const starting = logIn(standIn);
    await expect.poll(() => standIn.state.settings.clientId, { timeout: 20_000 }).not.toBe('');
    const [session] = await rig.sessions.list();
    await rig.sessions.end(String(session?.['sessionId']));
    const { body } = await starting;
    expect(body).toMatchObject({ code: 'session_failed', stage: 'online' });
    await expect.poll(() => standIn.state.settings).toEqual({ clientId: '', pairedRelayUrl: '' });
  });

  it.each([
    ['a wrong password', {}, { password: 'wrong' }, 'login', /password was invalid/],
    ['an unknown user', {}, { username: 'Nobody' }, 'login', /no user Nobody.*Gamemaster/],
    ['a user who is logged in', {}, { username: 'Busy' }, 'login', /logged in already/],
    [
      'another world than the one that runs',
      {},
      { worldName: 'Atlantis' },
      'world',
      /Another world runs.*The Keep/,
    ],
    ['no module', { hasModule: false }, {}, 'module', /not active/],
    [
      'an unknown world',
      { running: undefined },
      { worldName: 'Atlantis' },
      'setup',
      /no world Atlantis.*The Keep/,
    ],
    ['no name among several worlds', { running: undefined }, {}, 'setup', /Name the one/],
    [
      'a world that must migrate',
      { running: undefined },
      { worldName: 'old-keep' },
      'setup',
      /must be migrated/,
    ],
    [
      'an administrator’s password',
      { running: undefined, adminPassword: 'x' },
      {},
      'setup',
      /administrator’s password/,
    ],
    ['an agreement to accept', { unsigned: true }, {}, 'setup', /licence/],
    [
      'a pairing with another relay',
      { settings: { clientId: '', pairedRelayUrl: 'wss://elsewhere.example/relay' } },
      {},
      'module',
      /another relay/,
    ],
    [
      'a pairing of another account',
      { settings: { clientId: 'not-ours', pairedRelayUrl: '' } },
      {},
      'module',
      /another account/,
    ],
    [
      'a player in a world that was never paired',
      {},
      { username: 'Player', password: '' },
      'module',
      /may not change/,
    ],
  ])(
    '%s ends the start at its stage, and changes nothing there',
    async (_what, options, login, stage, detail) => {
      const standIn = await start(options);
      const before = { ...standIn.state.settings };
      const { body } = await logIn(standIn, login);
      expect(body).toMatchObject({ code: 'session_failed', stage, detail: expect.stringMatching(detail) });
      expect(standIn.state.settings).toEqual(before);
      expect(standIn.launches).toBe(0);
    },
  );
});

/** Another module of a relay beside ours: never paired, and it would connect if it were. */
const another = {
  manifest: { id: 'other', title: 'The other module', esmodules: ['other.js'] },
  files: {
    'other.js': `Hooks.once('init', () => {
  for (const [key, scope] of [['clientId', 'world'], ['pairedRelayUrl', 'world'], ['connectionToken', 'client']])
    game.settings.register('other', key, { scope, config: false, type: String, default: '' });
});`,
  },
};

it.each([foundryPairs[0], foundryPairs[5]])(
  'the module that the relay serves answers in a session at $core, of two, and asks nobody there',
  async (pair) => {
    const world = await startFoundryWorld({
      ...pair,
      modules: [await install(`${rig.first.url}/module/module.json`), another],
      worlds: [{ id: 'keep', title: 'The Keep' }],
    });
    onTestFinished(() => world.close());
    const { body } = await rig.sessions.logIn({ tabletopUrl: world.url, username: 'Ada', password: '' });
    expect(body).toMatchObject({ success: true });
    const clientId = String(body['clientId']);
    const ask = (path: string, given: object) =>
      call(rig.second.url, 'POST', `${path}?clientId=${clientId}`, {
        headers: { 'x-api-key': rig.key },
        body: given,
      });
    const rolled = await ask('/sys5e/skill-check', { actorUuid: 'Actor.acAkra0000000000', skill: 'prc' });
    expect(rolled.status).toBe(200);
    const asked = await ask('/create-folder', { name: 'x', folderType: 'Actor' });
    expect([asked.status, asked.body['reason']]).toEqual([422, 'policy']);
    const stored = Object.fromEntries(
      (world.world().documents['settings'] ?? []).map(({ key, value }) => [key, value]),
    );
    expect(stored['tabletop-relay.clientId']).toBe(JSON.stringify(clientId));
    expect(stored['other.clientId'] ?? '""').toBe('""');
    expect(JSON.stringify(stored)).not.toContain('trc_');
    await rig.sessions.end(String(body['sessionId']));
  },
);
