import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { operations } from './index.ts';
import type { OperationName } from './index.ts';
import { resultSchema } from './operation.ts';

/** An answer of a module in use, field by field, and what of it may be absent or null in a world that is played. */
interface RealAnswer {
  name: OperationName;
  result: Record<string, unknown>;
}

const d20 = { faces: 20, results: [{ result: 14, active: true }] };
const combatant = { id: 'c', name: 'Ghoul', img: null, initiative: null, hidden: false, defeated: false };
const before = { id: 'e', name: 'Ambush', round: 0, turn: null };
const moved = (action: string) => ({
  encounterId: 'e',
  action,
  currentTurn: null,
  currentRound: 0,
  encounter: before,
});
const user = { id: 'u', name: 'Ada', role: 4, isGM: true, active: true, color: null, avatar: null };
const notRolled = { actorUuid: 'Actor.a' };

const answers: RealAnswer[] = [
  ...(['use-ability', 'use-feature', 'use-spell', 'use-item'] as const).flatMap((name): RealAnswer[] => [
    { name, result: { data: { uuid: 'Actor.a', ability: 'Longsword' } } },
    {
      name,
      result: {
        data: {
          uuid: 'Actor.a',
          ability: 'Longsword',
          roll: { total: 19, formula: '1d20 + 5', isCritical: false, isFumble: false, dice: [d20] },
          damageRolls: [{ total: 7, formula: '1d8', type: 'slashing', isCritical: false, dice: [] }],
        },
      },
    },
  ]),
  { name: 'skill-check', result: { data: { ...notRolled, skill: 'prc' } } },
  { name: 'ability-save', result: { data: { ...notRolled, ability: 'wis' } } },
  { name: 'ability-check', result: { data: { ...notRolled, ability: 'wis' } } },
  { name: 'death-save', result: { data: { ...notRolled, deathSaves: { success: 0, failure: 0 } } } },
  { name: 'concentration-save', result: { data: { ...notRolled, dc: 10, maintained: true } } },
  { name: 'short-rest', result: { data: { actorUuid: 'Actor.a', result: { completed: true } } } },
  { name: 'long-rest', result: { data: { actorUuid: 'Actor.a', result: { completed: true } } } },
  { name: 'next-turn', result: moved('nextTurn') },
  { name: 'next-round', result: moved('nextRound') },
  { name: 'last-turn', result: moved('previousTurn') },
  { name: 'last-round', result: moved('previousRound') },
  { name: 'encounters', result: { encounters: [{ ...before, current: true, combatants: [combatant] }] } },
  {
    name: 'start-encounter',
    result: { encounterId: 'e', encounter: { ...before, round: 1, turn: 0, combatants: [combatant] } },
  },
  { name: 'selected', result: { success: true, selected: [{ tokenUuid: 'Token.t', actorUuid: null }] } },
  { name: 'players', result: { users: [user] } },
  {
    name: 'get-actor-details',
    result: {
      data: {
        uuid: 'Actor.dragon',
        resources: { legact: { value: 3, max: 3 }, legres: { value: 3, max: 3 }, lair: { value: true } },
        spells: [],
        spellSlots: { spell1: { value: 2, max: 4 }, pact: { value: 1, max: 1, level: 3 } },
        conditions: [{ id: 'prone', name: 'Prone' }],
        concentration: { active: false },
      },
    },
  },
  {
    name: 'world-info',
    result: {
      data: {
        world: { id: 'w', title: 'W' },
        system: { id: 'dnd5e', title: 'Fifth edition', version: '5.1.0' },
        foundryVersion: '13.348',
        // The relay adds it.
        tabletopVersion: '13.348',
        modules: [],
        users: [user],
        activeScene: null,
      },
    },
  },
];

test.each(answers)('an answer of a real world to $name fits the contract', ({ name, result }) => {
  const operation = operations.find((one) => one.name === name);
  const schema = operation && resultSchema(operation);
  expect(schema && Value.Errors(schema, { type: `${name}-result`, requestId: 'x', ...result })).toEqual([]);
});
