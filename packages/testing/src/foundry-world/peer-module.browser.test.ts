import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { launchChromium } from '../processes/chromium.ts';
import { waitFor } from '../time/wait-for.ts';
import { foundryPairs, startFoundryWorld } from './foundry-world.ts';

/** A folder with the module that people use today, as its makers publish it. */
const folder = process.env['PEER_MODULE'];
const akra = { actorUuid: 'Actor.acAkra0000000000' };
const goblin = 'Scene.scMarket00000000.Token.tkGoblin00000000';

/** Commands over most of what a module touches, with their parameters. */
const commands: [string, object][] = [
  ['get-users', {}],
  ['players', {}],
  ['roll', { formula: '2d6+3', createChatMessage: true }],
  ['start-encounter', { tokens: [goblin], rollAll: true }],
  ['encounters', {}],
  ['next-turn', {}],
  ['end-encounter', {}],
  ['entity', { uuid: akra.actorUuid }],
  ['create', { entityType: 'Actor', data: { name: 'Stranger', type: 'npc' } }],
  ['update', { uuid: akra.actorUuid, updateData: { name: 'Akra' } }],
  ['structure', {}],
  ['search', { query: 'akra' }],
  ['create-folder', { name: 'Others', folderType: 'Actor' }],
  ['macros', {}],
  ['get-playlists', {}],
  ['chat-messages', {}],
  ['chat-send', { content: 'hello' }],
  ['file-system', { path: '', source: 'data' }],
  ['get-canvas-documents', { documentType: 'tokens' }],
  ['move-token', { uuid: goblin, x: 500, y: 500 }],
  ['get-effects', { uuid: akra.actorUuid }],
  ['add-effect', { uuid: akra.actorUuid, statusId: 'prone' }],
  ['get-actor-details', { ...akra, details: ['resources', 'items', 'spells', 'features'] }],
  ['skill-check', { ...akra, skill: 'ste' }],
  ['long-rest', akra],
];

it.skipIf(!folder)(
  'the module that people use today answers in the stand-in (PEER_MODULE names its folder)',
  async () => {
    const { id } = JSON.parse(readFileSync(path.join(folder ?? '', 'module.json'), 'utf8')) as { id: string };
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    for (const pair of foundryPairs) {
      const relay = await startRelay();
      const world = await startFoundryWorld({
        ...pair,
        isStrict: false,
        modules: [{ folder: folder ?? '' }],
      });
      const settings = { wsRelayUrl: relay.url, pairedRelayUrl: relay.url, clientId: 'world' };
      for (const [key, value] of Object.entries(settings)) {
        const stored = { _id: key.padEnd(16, '0'), key: `${id}.${key}`, value: JSON.stringify(value) };
        world.world().documents['settings']?.push(stored);
      }
      const context = await browser.newContext();
      await context.addInitScript(`localStorage.setItem('${id}.connectionToken', '"token"')`);
      const ada = await world.join(context, 'Ada');
      for (const [type, parameters] of commands) {
        const answer = JSON.stringify(await relay.ask(type, parameters));
        expect(answer, `${type} in ${pair.core} with ${pair.dnd5e}`).not.toMatch(/"error":"/);
      }
      expect((await ada.records()).unknown.filter((name) => name.endsWith('(not built)'))).toEqual([]);
      relay.close();
      await world.close();
    }
  },
  120_000,
);

/** A relay as far as one module needs it: it takes any token, and asks. */
async function startRelay() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const answers = new Map<string, object>();
  const state: { send?: (frame: object) => void } = {};
  server.on('connection', (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string; requestId?: string };
      if (frame.requestId !== undefined) answers.set(frame.requestId, frame);
      if (frame.type !== 'auth') return;
      send({ type: 'auth-success' });
      send({ type: 'connected' });
      state.send = send;
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`,
    async ask(type: string, parameters: object) {
      await waitFor(() => state.send !== undefined);
      const requestId = `${type}-${answers.size}`;
      state.send?.({ type, requestId, ...parameters });
      await waitFor(() => answers.has(requestId));
      return answers.get(requestId);
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
