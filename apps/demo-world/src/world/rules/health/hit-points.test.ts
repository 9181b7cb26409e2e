import { describe, expect, test } from 'vitest';
import { loadedDice } from '../../../../test/loaded-dice.ts';
import { ghoul } from '../../content/monsters.ts';
import { sable } from '../../content/sable.ts';
import { theron } from '../../content/theron.ts';
import type { Actor } from '../../state.ts';
import { rollD20 } from '../rolls/d20.ts';
import { applyDeathSave, assertDying } from './death-saves.ts';
import { gainTemporary, heal, takeDamage } from './hit-points.ts';

const withTemporary = (temp: number): Actor => ({ ...sable, hitPoints: { value: 17, max: 38, temp } });

describe('SRD 5.1, Combat: Damage and Healing', () => {
  test('temporary hit points go first', () => {
    expect(takeDamage(withTemporary(5), 7).hitPoints).toEqual({ value: 15, max: 38, temp: 0 });
    expect(takeDamage(withTemporary(5), 3).hitPoints).toEqual({ value: 17, max: 38, temp: 2 });
  });

  test('temporary hit points don’t add up', () => {
    expect(gainTemporary(withTemporary(5), 3).hitPoints.temp).toBe(5);
    expect(gainTemporary(withTemporary(5), 8).hitPoints.temp).toBe(8);
  });

  test('healing stops at the maximum', () => {
    expect(heal(sable, 100).hitPoints.value).toBe(38);
  });

  test('a character at 0 is unconscious and dying, a monster dead', () => {
    expect(takeDamage(sable, 17)).toMatchObject({ life: 'dying', conditions: ['unconscious'] });
    expect(takeDamage(ghoul, 22)).toMatchObject({ life: 'dead' });
  });

  test('damage left over of the maximum or more kills at once', () => {
    expect(takeDamage(sable, 17 + 37).life).toBe('dying');
    expect(takeDamage(sable, 17 + 38).life).toBe('dead');
  });

  test('damage at 0 is a failed death save, two from a critical hit, death from the maximum', () => {
    expect(takeDamage(theron, 1).deathSaves.failure).toBe(1);
    expect(takeDamage(theron, 1, { critical: true }).deathSaves.failure).toBe(2);
    expect(takeDamage(theron, 44).life).toBe('dead');
  });

  test('healing wakes the dying and clears their saves; it does nothing for the dead', () => {
    const dying = { ...theron, deathSaves: { success: 2, failure: 2 } };
    expect(heal(dying, 3)).toMatchObject({
      life: 'alive',
      conditions: [],
      hitPoints: { value: 3 },
      deathSaves: { success: 0, failure: 0 },
    });
    expect(heal({ ...theron, life: 'dead' }, 3).hitPoints.value).toBe(0);
  });
});

describe('SRD 5.1, Combat: Death Saving Throws', () => {
  const save = (actor: Actor, natural: number) =>
    applyDeathSave(actor, rollD20({}, loadedDice(`${natural}/20`)));

  test('10 succeeds and 9 fails', () => {
    expect(save(theron, 10).deathSaves).toEqual({ success: 1, failure: 0 });
    expect(save(theron, 9).deathSaves).toEqual({ success: 0, failure: 1 });
  });

  test('the third success stabilises and resets both counts', () => {
    const after = save({ ...theron, deathSaves: { success: 2, failure: 2 } }, 12);
    expect(after).toMatchObject({
      life: 'stable',
      hitPoints: { value: 0 },
      deathSaves: { success: 0, failure: 0 },
    });
  });

  test('the third failure kills', () => {
    expect(save({ ...theron, deathSaves: { success: 2, failure: 2 } }, 5).life).toBe('dead');
  });

  test('a natural 1 is two failures, and no more than three in all', () => {
    expect(save(theron, 1).deathSaves.failure).toBe(2);
    expect(save({ ...theron, deathSaves: { success: 0, failure: 2 } }, 1)).toMatchObject({
      life: 'dead',
      deathSaves: { failure: 3 },
    });
  });

  test('a natural 20 regains 1 hit point and resets', () => {
    expect(save({ ...theron, deathSaves: { success: 1, failure: 2 } }, 20)).toMatchObject({
      life: 'alive',
      hitPoints: { value: 1 },
      deathSaves: { success: 0, failure: 0 },
    });
  });

  test.each([
    ['alive', 'actor_not_dying'],
    ['stable', 'actor_not_dying'],
    ['dead', 'actor_dead'],
  ] as const)('who is %s rolls none', (life, code) => {
    expect(() => assertDying({ ...theron, life })).toThrow(expect.objectContaining({ code }));
  });
});
