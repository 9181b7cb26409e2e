import type { Actor } from '../state.ts';

/** One of the three counters on an actor's sheet; `null` where there is none. */
export interface Resource {
  value: number | null;
  max: number | null;
  /** Whether a short, a long rest restores it. */
  sr: boolean;
  lr: boolean;
  label: string;
}

const monsterResources = {
  legact: { value: 0, max: 0 },
  legres: { value: 0, max: 0 },
  lair: { value: false, initiative: null },
};

const none: Resource = { value: null, max: null, sr: false, lr: false, label: '' };

/** The uses of a character's first three limited features. A monster has what its rules give it instead: here nothing. */
export function resourcesOf(actor: Actor): object {
  if (actor.kind === 'npc') return monsterResources;
  const [primary = none, secondary = none, tertiary = none] = actor.items.flatMap((item): Resource[] => {
    const { charges } = item;
    if (item.type !== 'feat' || !charges) return [];
    const sr = charges.recharge === 'short';
    return [
      { value: charges.value, max: charges.max, sr, lr: sr || charges.recharge === 'long', label: item.name },
    ];
  });
  return { primary, secondary, tertiary };
}
