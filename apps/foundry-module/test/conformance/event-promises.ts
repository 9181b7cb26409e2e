import { waitFor } from '@tabletop-relay/testing';
import type { FoundryTab } from '@tabletop-relay/testing';
import { expect, test } from 'vitest';
import { listen } from './streams.ts';

export interface Listened {
  url: string;
  masterKey: string;
  clientId: string;
  tab: FoundryTab;
}

/** For each channel what is done in the tabletop, and the events that it makes, in their order. */
const channels: readonly { path: string; act: string; expected: string[] }[] = [
  {
    path: '/encounters/subscribe',
    act: `(async () => {
      const combat = await Combat.create({ scene: game.scenes.active.id, active: true });
      const tokens = game.scenes.active.tokens.contents.slice(0, 2);
      await combat.createEmbeddedDocuments('Combatant', tokens.map((token) => ({ tokenId: token.id, sceneId: token.parent.id, actorId: token.actorId })));
      await combat.rollAll();
      await combat.startCombat();
      await combat.nextTurn();
      await combat.nextRound();
      await combat.deleteEmbeddedDocuments('Combatant', [combat.turns[1].id]);
      await combat.delete();
    })()`,
    expected: [
      'combat-combatant-add',
      'combat-combatant-add',
      'combat-start',
      'combat-turn',
      'combat-round',
      'combat-combatant-remove',
      'combat-end',
    ],
  },
  {
    path: '/actor/subscribe',
    act: `(async () => {
      const actor = game.actors.getName('Akra');
      await actor.update({ 'system.currency.gp': 11 });
      const [item] = await actor.createEmbeddedDocuments('Item', [{ name: 'Rope', type: 'loot' }]);
      await item.update({ name: 'Long rope' });
      await item.delete();
      await actor.toggleStatusEffect('prone', { active: true });
      await actor.toggleStatusEffect('prone', { active: false });
    })()`,
    expected: [
      'actor-update',
      'actor-item-add',
      'actor-item-update',
      'actor-item-remove',
      'actor-effect-add',
      'actor-effect-remove',
    ],
  },
  {
    path: '/scene/subscribe',
    act: `(async () => {
      const scene = game.scenes.active;
      const [light] = await scene.createEmbeddedDocuments('AmbientLight', [{ x: 10, y: 10 }]);
      await light.update({ hidden: true });
      await light.delete();
      const [wall] = await scene.createEmbeddedDocuments('Wall', [{ c: [0, 0, 9, 9] }]);
      await wall.delete();
      await scene.tokens.contents[0].update({ elevation: 5 });
      await game.scenes.find(({ active }) => !active).update({ active: true });
      await scene.update({ active: true });
    })()`,
    expected: [
      'scene-light-create',
      'scene-light-update',
      'scene-light-delete',
      'scene-wall-create',
      'scene-wall-delete',
      'scene-token-update',
      'scene-scene-activate',
      'scene-scene-activate',
    ],
  },
  {
    path: '/chat/subscribe',
    act: `(async () => {
      const message = await ChatMessage.create({ content: 'Hello' });
      await message.update({ content: 'Hello again' });
      await message.delete();
    })()`,
    expected: ['chat-create', 'chat-update', 'chat-delete'],
  },
  {
    path: '/rolls/subscribe',
    act: `new Roll('1d20').evaluate({ allowInteractive: false }).then((roll) => roll.toMessage({ flavor: 'Luck' }))`,
    expected: ['roll'],
  },
  {
    path: '/hooks/subscribe',
    act: `game.actors.getName('Akra').update({ 'system.currency.gp': 12 })`,
    expected: ['updateActor'],
  },
];

/** Six channels, and no hook that nobody listens to. */
export function testEvents(at: () => Listened): void {
  test('each channel tells what happens, and the tabletop is not heard before somebody listens', async () => {
    const { url, masterKey, clientId, tab } = at();
    for (const { path, act, expected } of channels) {
      const plain = await tab.listeners();
      const heard = await listen(`${url}${path}?clientId=${clientId}`, masterKey);
      await expect.poll(() => tab.listeners(), { message: path }).not.toEqual(plain);
      await tab.page.evaluate(act);
      const names = () => heard.events.map(({ name }) => name).filter((name) => name !== 'connected');
      await waitFor(() => names().length >= expected.length).catch(() => undefined);
      expect(names(), path).toEqual(expected);
      // The relay asks for a channel for minutes longer, for those who come back: `events.test.ts` has the end.
      await heard.stop();
    }
  });

  test('another module is told once, and may add to the rules system', async () => {
    const { tab } = at();
    const known = await tab.page.evaluate(`globalThis.relayApi && {
      version: relayApi.version,
      state: relayApi.status.state,
      hasToken: JSON.stringify(relayApi).includes('trc_'),
      count: globalThis.relayApis,
    }`);
    expect(known).toEqual({
      version: expect.stringMatching(/^\d/) as unknown,
      state: 'connected',
      hasToken: false,
      count: 1,
    });
  });
}

/** A module that takes what ours gives. */
export const guest = {
  manifest: { id: 'guest', title: 'Guest', esmodules: ['guest.js'] },
  files: {
    'guest.js': `globalThis.relayApis = 0;
Hooks.on('tabletop-relay.ready', (api) => { globalThis.relayApi = api; globalThis.relayApis += 1; });`,
  },
};
