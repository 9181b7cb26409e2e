import type { Actor } from '../../world/state.ts';
import { Pips } from './vitals.tsx';

interface Supply {
  label: string;
  value: number;
  max: number;
}

/** Supplies that are spent during a day and come back with rest: slots, hit dice, charges. */
export function Supplies({ actor }: { actor: Actor }) {
  const supplies = suppliesOf(actor);
  if (supplies.length === 0) return null;
  return (
    <>
      <h3>Resources</h3>
      <ul class="supplies">
        {supplies.map(({ label, value, max }) => (
          <li key={label}>
            <span>{label}</span>
            {max <= 8 && <Pips value={value} max={max} label={`${value} of ${max}`} />}
            <span class="number" aria-hidden={max <= 8}>
              {value}
              <small>/{max}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function suppliesOf({ spellSlots, pactSlots, hitDice, items }: Actor): Supply[] {
  const slots = Object.entries(spellSlots).map(([level, slot]) => ({
    label: `Level ${level} slots`,
    ...slot,
  }));
  const pact = pactSlots ? [{ label: `Pact slots, level ${pactSlots.level}`, ...pactSlots }] : [];
  const dice = { label: `Hit dice d${hitDice.faces}`, value: hitDice.max - hitDice.spent, max: hitDice.max };
  const charged = items.flatMap(({ name, charges }) => (charges ? [{ label: name, ...charges }] : []));
  return [...slots, ...pact, dice, ...charged].filter(({ max }) => max > 0);
}
