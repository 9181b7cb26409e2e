import { operations } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';
import type { FoundryTab, FoundryWorld } from '@tabletop-relay/testing';
import { expect, test } from 'vitest';
import { light } from '../pairing.ts';
import { evening } from './calls.ts';
import type { Kept, Step } from './calls.ts';
import { foundryKept } from './worlds.ts';

/** Plays a step as that user. */
export type AskAs = (step: Step, kept: Kept, user: string) => Promise<{ status: number; body: object }>;

const player = 1;
const trusted = 2;
const assistant = 3;

/** What users do in the evening by the level that they have on every document, each beside what those below do. */
const byLevel: readonly (readonly OperationName[])[] = [
  [
    'chat-messages',
    'encounters',
    'get-canvas-documents',
    'get-playlists',
    'get-scene',
    'get-status-effects',
    'last-roll',
    'macros',
    'measure-distance',
    'players',
    'roll',
    'rolls',
    'scene-raw-image',
    'search',
    'selected',
    'structure',
    'world-info',
  ],
  ['entity', 'get-effects', 'macro-execute'],
  ['sheet-screenshot'],
  [
    'ability-check',
    'ability-save',
    'add-effect',
    'attune-item',
    'break-concentration',
    'chat-delete',
    'chat-send',
    'concentration-save',
    'create-canvas-document',
    'death-save',
    'decrease',
    'delete',
    'delete-canvas-document',
    'equip-item',
    'get-actor-details',
    'get-concentration',
    'give',
    'increase',
    'kill',
    'long-rest',
    'modify-currency',
    'modify-experience',
    'modify-item-charges',
    'prepare-spell',
    'remove',
    'remove-effect',
    'select',
    'short-rest',
    'skill-check',
    'transfer-currency',
    'update',
    'update-canvas-document',
    'use-ability',
    'use-feature',
    'use-item',
    'use-spell',
  ],
];

/** The tabletop lets those who are trusted browse files, from its own start. */
const ofTrusted: readonly OperationName[] = ['download-file', 'file-system'];

/** What a game master's assistant does, whatever the level. The evening has put the file there already. */
const ofAssistants = operations.map(({ name }) => name).filter((name) => name !== 'upload-file');

const cells = [
  ...[player, trusted].flatMap((role) => [0, 1, 2, 3].map((level) => ({ role, level }))),
  ...[0, 3].map((level) => ({ role: assistant, level })),
];

/** Each operation of the evening, tried by a user of that role with that level on every document of the world. */
export function testRoles(
  at: () => { tab: FoundryTab; world: FoundryWorld; ask: AskAs; initial: object },
): void {
  test.each(cells)(
    'with the role $role and the level $level a user does what these allow, of all operations',
    async ({ role, level }) => {
      const { tab, world, ask, initial } = at();
      // As it was before the evening.
      Object.assign(world.world().documents, structuredClone(initial));
      await tab.reload();
      await expect.poll(() => light(tab.page).innerText()).toBe('Connected');
      await setRights(tab, role, level);
      const ofUsers = [...byLevel.slice(0, level + 1).flat(), ...(role === trusted ? ofTrusted : [])];
      const expected = role === assistant ? ofAssistants : ofUsers;
      expect([...(await tryAll(ask))].toSorted()).toEqual(expected.toSorted());
    },
  );
}

async function setRights({ page }: FoundryTab, role: number, level: number): Promise<void> {
  await page.evaluate(`(async () => {
    await game.users.getName('Emil').update({ role: ${role} });
    for (const name of ['actors', 'items', 'scenes', 'journal', 'macros', 'playlists', 'tables'])
      for (const one of game[name].contents)
        await one.update({ ownership: { default: ${level}, plEmil0000000000: ${level} } });
  })()`);
}

/** The operations that were carried out at least once. */
async function tryAll(ask: AskAs): Promise<Set<OperationName>> {
  const kept: Kept = { ...foundryKept, made: { uuid: 'JournalEntry.joNotes000000000' } };
  const done = new Set<OperationName>();
  for (const step of evening) {
    if (step.as) continue;
    const { status, body } = await ask(step, kept, 'Emil');
    if (status !== 200) continue;
    done.add(step.operation);
    if (step.keep !== undefined) kept[step.keep] = body as Kept[string];
  }
  return done;
}
