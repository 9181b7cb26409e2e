import { describe, expect, test } from 'vitest';
import { token } from '../../../../test/look-up.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const start = (world: World, parameters: object) => world.answer('start-encounter', parameters).encounter;
const current = (world: World) => {
  const { encounters, currentEncounterId } = world.state();
  return encounters.find(({ id }) => id === currentEncounterId);
};
const position = ({ currentRound, currentTurn }: { currentRound: number; currentTurn: number | null }) => [
  currentRound,
  currentTurn,
];

describe('moving through an encounter of three', () => {
  const threeInOrder = () => {
    const world = createWorld({ seed: 3 });
    start(world, { tokens: ['mira', 'borin', 'sable'].map(token), rollAll: true });
    return world;
  };

  test('past the last combatant the next round begins, at turn 0', () => {
    const world = threeInOrder();
    const positions = [1, 2, 3, 4].map(() => position(world.answer('next-turn', {})));
    expect(positions).toEqual([[1, 1], [1, 2], [2, 0], [2, 1]]); // prettier-ignore
  });

  test('before the first it is the last turn of the round before', () => {
    const world = threeInOrder();
    world.answer('next-round', {});
    expect(position(world.answer('last-turn', {}))).toEqual([1, 2]);
  });

  test('a round forward lands on turn 0, a round back on the last turn', () => {
    const world = threeInOrder();
    world.answer('next-turn', {});
    expect(position(world.answer('next-round', {}))).toEqual([2, 0]);
    world.answer('next-turn', {});
    expect(position(world.answer('last-round', {}))).toEqual([1, 2]);
    expect(position(world.answer('last-round', {}))).toEqual([1, 0]);
  });

  test('at round 1, turn 0 going back changes nothing', () => {
    const world = threeInOrder();
    const before = world.state();
    expect(position(world.answer('last-turn', {}))).toEqual([1, 0]);
    expect(position(world.answer('last-round', {}))).toEqual([1, 0]);
    expect(world.state()).toBe(before);
  });

  test('it names the actor and the token whose turn it is', () => {
    const world = threeInOrder();
    const second = current(world)?.combatants[1];
    expect(world.answer('next-turn', {})).toMatchObject({
      actorTurn: second?.actorUuid,
      tokenTurn: second?.tokenUuid,
    });
  });

  test('without combatants rounds go on and nobody has a turn', () => {
    const world = createWorld();
    start(world, {});
    const moved = world.answer('next-turn', {});
    expect(position(moved)).toEqual([2, 0]);
    expect(moved).not.toHaveProperty('actorTurn');
  });

  test('the defeated keep their turn', () => {
    const world = threeInOrder();
    const second = current(world)?.combatants[1];
    world.perform({ kind: 'set-defeated', combatantId: second?.id ?? '', defeated: true });
    expect(world.answer('next-turn', {}).tokenTurn).toBe(second?.tokenUuid);
  });
});

describe('who takes part', () => {
  test('is listed in the order in which they joined, whoever has the first turn', () => {
    const tokens = ['mira', 'borin', 'sable'].map(token);
    const turnOrders = [0, 1, 2, 3, 4].map((seed) => {
      const world = createWorld({ seed });
      start(world, { tokens, rollAll: true });
      world.answer('add-to-encounter', { uuids: [token('cultist')], rollInitiative: true });
      const listed = world.answer('encounters', {}).encounters.find((one) => one.current)?.combatants;
      expect(listed?.map(({ tokenUuid }) => tokenUuid)).toEqual([...tokens, token('cultist')]);
      return current(world)
        ?.combatants.map(({ name }) => name)
        .join();
    });
    expect(new Set(turnOrders).size).toBeGreaterThan(1);
  });

  test('an empty list of tokens stands beside the selection', () => {
    const world = createWorld();
    start(world, {});
    const { added } = world.answer('add-to-encounter', { uuids: [], selected: true });
    expect(added).toEqual([token('mira')]);
  });

  test('is hidden from players without token, actor and image', () => {
    const world = createWorld();
    world.answer('add-to-encounter', { uuids: [token('lurker')] });
    const { encounters } = world.answer('encounters', {}, { userId: 'dev' });
    const hidden = encounters[0]?.combatants.find((one) => one.hidden);
    expect(hidden).toMatchObject({ name: 'Hidden', img: null });
    expect(hidden).not.toHaveProperty('tokenUuid');
    expect(hidden).not.toHaveProperty('actorUuid');
  });

  test('is not told to the player whose turn ended before it', () => {
    const world = createWorld();
    start(world, { tokens: ['lurker', 'mira'].map(token) });
    while (!current(world)?.combatants[current(world)?.turn ?? 0]?.hidden) world.answer('last-turn', {});
    world.answer('next-turn', {});
    const moved = world.answer('next-turn', {}, { userId: 'ben' });
    expect(moved).toMatchObject({ action: 'nextTurn' });
    expect(JSON.stringify(moved)).not.toContain('lurker');
    world.answer('last-turn', {});
    expect(world.answer('next-turn', {}, { userId: 'ada' }).tokenTurn).toBe(token('lurker'));
  });

  test('named, selected and players’ tokens join once each', () => {
    const world = createWorld();
    world.answer('select', { uuids: [token('mira'), token('cultist')], overwrite: true });
    const { combatants } = start(world, {
      tokens: [token('mira')],
      startWithSelected: true,
      startWithPlayers: true,
    });
    const tokens = combatants.map(({ tokenUuid = '' }) => tokenUuid).toSorted();
    expect(tokens).toEqual(['borin', 'cultist', 'mira', 'sable', 'theron'].map(token));
  });

  test('`rollNPC` rolls for those that no player owns, `rollAll` for all', () => {
    const tokens = ['mira', 'ghoul'].map(token);
    const rolled = (options: object) =>
      start(createWorld(), { tokens, ...options })
        .combatants.filter(({ initiative }) => initiative !== null)
        .map(({ name }) => name);
    expect(rolled({})).toEqual([]);
    expect(rolled({ rollNPC: true })).toEqual(['Ghoul']);
    expect(rolled({ rollAll: true })).toHaveLength(2);
  });

  test('who joins later does not take the turn from whose it is', () => {
    const world = createWorld();
    world.answer('next-turn', {});
    const whose = current(world)?.combatants[1]?.id;
    world.answer('add-to-encounter', { uuids: ['cultist', 'lurker'].map(token), rollInitiative: true });
    const encounter = current(world);
    expect(encounter?.combatants).toHaveLength(8);
    expect(encounter?.combatants[encounter.turn]?.id).toBe(whose);
  });

  test('when the one whose turn it is leaves, the next has it, and after the last the next round begins', () => {
    const world = createWorld();
    const [first, second] = current(world)?.combatants ?? [];
    world.answer('remove-from-encounter', { uuids: [first?.tokenUuid] });
    expect(current(world)?.combatants[0]?.id).toBe(second?.id);
    for (let turn = 0; turn < 4; turn += 1) world.answer('next-turn', {});
    world.answer('remove-from-encounter', { uuids: [current(world)?.combatants[4]?.tokenUuid] });
    expect(current(world)).toMatchObject({ round: 2, turn: 0 });
  });

  test('what can’t be added or removed is listed and stops nothing', () => {
    const world = createWorld();
    const added = world.answer('add-to-encounter', { uuids: ['Nobody', token('mira'), token('cultist')] });
    expect(added.added).toEqual([token('cultist')]);
    expect(added.failed.map(({ uuid }) => uuid)).toEqual(['Nobody', token('mira')]);
    const removed = world.answer('remove-from-encounter', {
      uuids: ['Nobody', token('mira'), token('lurker')],
    });
    expect(removed.removed).toEqual([token('mira')]);
    expect(removed.failed.map(({ uuid }) => uuid)).toEqual(['Nobody', token('lurker')]);
  });

  test('stays as it is, down to the very state, when nobody is added or removed', () => {
    const world = createWorld();
    const before = world.state();
    world.answer('add-to-encounter', { uuids: ['Nobody', token('mira')], rollInitiative: true });
    world.answer('remove-from-encounter', { uuids: ['Nobody', token('lurker')] });
    expect(world.state()).toBe(before);
  });

  test('ending the current encounter brings back the one before', () => {
    const world = createWorld();
    const { id } = start(world, {});
    expect(world.state().currentEncounterId).toBe(id);
    world.answer('end-encounter', {});
    expect(world.state().currentEncounterId).toBe('ambush');
    world.answer('end-encounter', { encounterId: 'ambush' });
    expect(() => world.answer('next-turn', {})).toThrow(
      expect.objectContaining({ code: 'encounter_not_found' }),
    );
  });

  test('ending another encounter leaves which one is current, or that none is', () => {
    const world = createWorld();
    start(world, {});
    world.answer('delete', { uuid: `Combat.${start(world, {}).id}` });
    world.answer('end-encounter', { encounterId: 'ambush' });
    expect(world.state().encounters).toHaveLength(1);
    expect(world.state().currentEncounterId).toBeNull();
    expect(() => world.answer('end-encounter', { encounterId: 'none' })).toThrow(/no encounter none/);
  });

  test('ending an encounter says how long it lasted', () => {
    const world = createWorld();
    const lasted = (rounds: number) => {
      start(world, { name: 'Brawl' });
      for (let round = 1; round < rounds; round += 1) world.answer('next-round', {});
      expect(world.answer('end-encounter', {})).toMatchObject({ message: 'Brawl ended' });
      return world.state().chat.at(-1);
    };
    expect(lasted(1)).toMatchObject({ speaker: 'Brawl', text: 'After 1 round' });
    expect(lasted(3)).toMatchObject({ title: 'The encounter ends', text: 'After 3 rounds' });
  });

  test('no more than twenty encounters go on', () => {
    const world = createWorld();
    for (let count = 2; count <= 20; count += 1) start(world, {});
    expect(() => start(world, {})).toThrow(expect.objectContaining({ code: 'too_many_encounters' }));
    world.answer('end-encounter', { encounterId: 'ambush' });
    expect(world.state().currentEncounterId).toBe(world.state().encounters.at(-1)?.id);
  });

  test('a combatant that dies is defeated', () => {
    const world = createWorld();
    world.perform({ kind: 'damage', actorUuid: `${token('ghoul')}.Actor.ghoul`, amount: 30 });
    expect(
      current(world)
        ?.combatants.filter(({ defeated }) => defeated)
        .map(({ name }) => name),
    ).toEqual(['Ghoul']);
  });
});
