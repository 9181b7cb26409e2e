import type { Ability } from '../../ability.ts';
import { valueAt } from '../../differences.ts';
import type { Document } from '../../document.ts';
import { heal, takeDamage } from '../../rules/health/hit-points.ts';
import type { Actor, Denomination } from '../../state.ts';
import { countAt, textAt } from './fields.ts';
import { isDocument } from '../merge.ts';

/** An actor after changes of its document, as far as the rules know the fields; what they compute is not read. */
export function readActor(actor: Actor, document: Document): Actor {
  const read: Actor = {
    ...actor,
    name: textAt(document, 'name', actor.name),
    img: textAt(document, 'img', actor.img),
    owners: ownersOf(document, actor.owners),
    race: textAt(document, 'system.details.race', actor.race),
    className: textAt(document, 'system.details.class', actor.className),
    background: textAt(document, 'system.details.background', actor.background),
    alignment: textAt(document, 'system.details.alignment', actor.alignment),
    level: countAt(document, 'system.details.level', actor.level, { max: 20 }),
    experience:
      actor.experience === null ? null : countAt(document, 'system.details.xp.value', actor.experience),
    speedFeet: countAt(document, 'system.attributes.movement.walk', actor.speedFeet, { max: 10_000 }),
    abilities: abilitiesOf(actor, document),
    spellSlots: slotsOf(actor, document),
    currency: coinsOf(actor, document),
  };
  return withHealth(read, document);
}

/** The owners after a change of `ownership`: those whom it gives level 3, and not those whom it gives less. */
function ownersOf(document: Document, before: readonly string[]): readonly string[] {
  const { ownership } = document;
  if (!isDocument(ownership)) return before;
  const { default: _everyone, ...given } = ownership;
  const kept = before.filter((user) => !Object.hasOwn(given, user));
  return [...kept, ...Object.keys(given).filter((user) => given[user] === 3)];
}

/** Hit points come and go by the rules: at 0 a character falls and a monster dies, above it the dead rise too. */
function withHealth(actor: Actor, document: Document): Actor {
  const { hitPoints } = actor;
  const max = countAt(document, 'system.attributes.hp.max', hitPoints.max, { min: 1, max: 100_000 });
  const value = countAt(document, 'system.attributes.hp.value', hitPoints.value, { max });
  const temp = countAt(document, 'system.attributes.hp.temp', hitPoints.temp, { max: 100_000 });
  const bounded: Actor = { ...actor, hitPoints: { value: Math.min(hitPoints.value, max), max, temp: 0 } };
  const change = value - bounded.hitPoints.value;
  const risen: Actor =
    actor.life === 'dead' && change > 0
      ? { ...bounded, life: 'stable', deathSaves: { success: 0, failure: 0 } }
      : bounded;
  const healed = change < 0 ? takeDamage(risen, -change) : heal(risen, change);
  return { ...healed, hitPoints: { ...healed.hitPoints, temp } };
}

function abilitiesOf(actor: Actor, document: Document): Actor['abilities'] {
  const entries = Object.entries(actor.abilities).map(([ability, { score, saveProficient }]) => {
    const path = `system.abilities.${ability}`;
    const proficient = valueAt(document, `${path}.proficient`);
    return [
      ability as Ability,
      {
        score: countAt(document, `${path}.value`, score, { min: 1, max: 30 }),
        saveProficient: typeof proficient === 'number' ? proficient > 0 : saveProficient,
      },
    ] as const;
  });
  return Object.fromEntries(entries) as Actor['abilities'];
}

function slotsOf(actor: Actor, document: Document): Actor['spellSlots'] {
  const entries = Object.entries(actor.spellSlots).map(([level, slots]) => [
    level,
    {
      ...slots,
      value: countAt(document, `system.spells.spell${level}.value`, slots.value, { max: slots.max }),
    },
  ]);
  return Object.fromEntries(entries) as Actor['spellSlots'];
}

function coinsOf(actor: Actor, document: Document): Actor['currency'] {
  const entries = Object.entries(actor.currency).map(([coin, amount]) => [
    coin,
    countAt(document, `system.currency.${coin}`, amount, { max: 1_000_000_000 }),
  ]);
  return Object.fromEntries(entries) as Record<Denomination, number>;
}
