import { operations, resultSchema, wireNameOf } from '@tabletop-relay/contract';
import type { Operation, OperationName } from '@tabletop-relay/contract';
import * as fc from 'fast-check';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareAll } from './operations/preparations.ts';
import { anyAction, anyCall } from '../../test/any-call.ts';
import { Refusal } from './refusal.ts';
import type { WorldState } from './state.ts';
import { createNodeWorld } from '../node-world.ts';
import type { QuickOperation } from './operations/slow.ts';
import { createWorld } from './world.ts';

beforeAll(prepareAll);

describe.each(operations)('$name', (operation) => {
  test('the reference’s example is answered by a world as it is found, as the contract says', async () => {
    const { name, example, parameters } = operation;
    const wire = Object.fromEntries(
      Object.entries(example.parameters).map(([key, value]) => [wireNameOf(key, parameters[key]!), value]),
    );
    const call = { requestId: 'x', operation: name as OperationName, parameters: wire };
    const result = await createNodeWorld({ seed: 1 }).receive(call);
    const reply = { type: `${name}-result`, requestId: 'x', ...result };
    expect(Value.Errors(resultSchema(operation), reply)).toEqual([]);
  });
});

test('spells, items and features have the eleven fields of the contract, and resources the five', () => {
  const { data } = createWorld({ seed: 1 }).answer('get-actor-details', {
    actorUuid: 'Actor.mira',
    details: ['spells', 'items', 'features', 'resources'],
  });
  const { spells = [], items = [], features = [], resources } = data;
  const fields = '_id _stats effects flags folder img name ownership sort system type';
  for (const entries of [spells, items, features]) {
    expect(entries).not.toEqual([]);
    for (const entry of entries) expect(Object.keys(entry).toSorted().join(' ')).toBe(fields);
  }
  expect(Object.keys(resources ?? {})).toEqual(['primary', 'secondary', 'tertiary']);
  for (const resource of Object.values<object>(resources ?? {})) {
    expect(Object.keys(resource).toSorted()).toEqual(['label', 'lr', 'max', 'sr', 'value']);
  }
});

/** Checks the rules that hold in every state, whatever was asked. */
function expectSound(state: WorldState): void {
  for (const {
    hitPoints,
    hitDice,
    currency,
    items,
    deathSaves,
    experience,
    life,
    concentration,
  } of state.actors) {
    expect(hitPoints.value).toSatisfy((value: number) => value >= 0 && value <= hitPoints.max);
    expect(hitPoints.temp).toBeGreaterThanOrEqual(0);
    expect(hitPoints.value > 0).toBe(life === 'alive');
    expect(hitDice.spent).toSatisfy((spent: number) => spent >= 0 && spent <= hitDice.max);
    expect(Math.max(deathSaves.success, deathSaves.failure)).toBeLessThanOrEqual(3);
    expect(Object.values(currency).every((amount) => Number.isInteger(amount) && amount >= 0)).toBe(true);
    expect(experience ?? 0).toBeGreaterThanOrEqual(0);
    expect(items.filter(({ attunement }) => attunement.attuned).length).toBeLessThanOrEqual(3);
    expect(concentration && life !== 'alive').toBeFalsy();
    for (const { charges, quantity } of items) {
      expect(quantity).toBeGreaterThanOrEqual(0);
      expect(!charges || (charges.value >= 0 && charges.value <= charges.max)).toBe(true);
    }
  }
  for (const { turn, round, combatants } of state.encounters) {
    expect(turn).toSatisfy((turn: number) => turn === 0 || (turn > 0 && turn < combatants.length));
    expect(round).toBeGreaterThanOrEqual(1);
    expect(new Set(combatants.map(({ tokenUuid }) => tokenUuid)).size).toBe(combatants.length);
  }
  const tokens = state.scenes.flatMap((scene) => scene.tokens.map(({ uuid }) => uuid));
  const sheets = state.actors.map(({ uuid }) => uuid);
  expect(tokens).toEqual(expect.arrayContaining([...state.selection]));
  for (const { combatants } of state.encounters)
    expect(tokens).toEqual(expect.arrayContaining(combatants.map(({ tokenUuid }) => tokenUuid)));
  for (const scene of state.scenes)
    expect(sheets).toEqual(expect.arrayContaining(scene.tokens.map(({ actorUuid }) => actorUuid)));
  expect(new Set([...sheets, ...tokens]).size).toBe(sheets.length + tokens.length);
  expect(state.users.some(({ role }) => role === 4)).toBe(true);
  expect(state.chat.length).toBeLessThanOrEqual(200);
  expect(state.calls.length).toBeLessThanOrEqual(50);
}

/** The result or the refusal of a call. Any other error is thrown on. */
function attempt(run: () => object): { result?: object; refusal?: Refusal } {
  try {
    return { result: run() };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

const coins = ({ actors }: WorldState) =>
  ['pp', 'gp', 'ep', 'sp', 'cp'].map((coin) =>
    actors.reduce((sum, { currency }) => sum + currency[coin as 'pp'], 0),
  );

const mintsCoins = ({ scope, name }: Operation): boolean =>
  ['entity:write', 'structure:write'].includes(scope) || name === 'modify-currency';

/** Codes that any operation can be refused with. The others are listed with the operation. */
const anyReason = ['invalid_parameters', 'user_not_found'];

describe('whatever is asked', () => {
  test('the answer fits the contract or is a refusal with a listed code that changes nothing, and the world stays sound', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(anyCall(), { minLength: 1, maxLength: 100, size: 'max' }),
        (seed, calls) => {
          const world = createWorld({ seed });
          for (const { operation, parameters, userId } of calls) {
            const before = world.state();
            const { result, refusal } = attempt(() =>
              world.answer(operation.name as QuickOperation, parameters, { userId }),
            );
            const reply = { type: `${operation.name}-result`, requestId: 'x', ...result };
            expect(refusal ? [] : Value.Errors(resultSchema(operation), reply)).toEqual([]);
            expect(!refusal || world.state() === before).toBe(true);
            expect([...anyReason, ...(operation.reasons ?? [])]).toContain(refusal?.code ?? anyReason[0]);
          }
          expectSound(world.state());
          // Only some operations may make coins or take them out of the world.
          const counted = calls.some(({ operation }) => mintsCoins(operation)) ? [] : [world];
          for (const { state } of counted) expect(coins(state())).toEqual(coins(createWorld().state()));
        },
      ),
      { numRuns: 50 },
    );
  }, 60_000);

  test('an action is carried out or refused, and the world stays sound', () => {
    fc.assert(
      fc.property(fc.array(anyAction(), { minLength: 1, maxLength: 60, size: 'max' }), (actions) => {
        const world = createWorld({ seed: 1 });
        for (const action of actions) {
          const before = world.state();
          const { refusal } = attempt(() => ({ done: world.perform(action) }));
          expect(!refusal || world.state() === before).toBe(true);
        }
        expectSound(world.state());
      }),
      { numRuns: 50 },
    );
  }, 60_000);

  test('a seed and the same calls give the same world', () => {
    const play = () => {
      const world = createWorld({ seed: 11, now: () => 0 });
      world.answer('use-spell', { actorUuid: 'Actor.mira', abilityName: 'Fireball', targetName: 'Ghoul' });
      world.answer('short-rest', { actorUuid: 'Actor.sable', autoHD: true });
      return world.state();
    };
    expect(play()).toEqual(play());
  });
});

describe('calls through the relay', () => {
  test('are kept with their outcome, the last 50', async () => {
    const world = createWorld();
    const call = { operation: 'players', parameters: {} } as const;
    for (let count = 1; count <= 60; count += 1)
      await world.receive({ ...call, requestId: `players_${count}` });
    const refused = world.receive({ ...call, requestId: 'last', userId: 'Zoe' });
    await expect(refused).rejects.toThrow('no user Zoe');
    expect(world.state().calls).toHaveLength(50);
    expect(world.state().calls[0]).toMatchObject({ requestId: 'players_12', outcome: 'answered' });
    expect(world.state().calls.at(-1)).toMatchObject({
      requestId: 'last',
      userId: 'Zoe',
      outcome: 'refused',
      error: 'There is no user Zoe in this world',
    });
  });
});
