import { useState } from 'preact/hooks';
import { armorClass } from '../../world/rules/armor.ts';
import type { Actor } from '../../world/state.ts';
import { healthOf } from '../health.ts';
import { useTable } from '../table.ts';

/** Hit points and what else decides whether somebody stands: death saves, conditions, concentration. */
export function Vitals({ actor }: { actor: Actor }) {
  const { tone, word, share } = healthOf(actor);
  const { value, max, temp } = actor.hitPoints;
  return (
    <div class="vitals">
      <p class={`hit-points tone-${tone}`}>
        <strong>{value}</strong>
        <span class="of">/ {max} hit points</span>
        <span class="armor">
          <strong>{armorClass(actor)}</strong> <abbr title="Armor class">AC</abbr>
        </span>
      </p>
      <div class={`bar tone-${tone}`} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <p class="condition">
        <span class={`tone-${tone}`}>{word}</span>
        {temp > 0 && <span>{temp} temporary</span>}
        <span>{actor.speedFeet} ft speed</span>
      </p>
      <Wound actor={actor} />
      {actor.life === 'dying' && <DeathSaves actor={actor} />}
      {actor.conditions.length > 0 && (
        <p class="tags">
          <span class="visually-hidden">Conditions: </span>
          {actor.conditions.map((condition) => (
            <span key={condition} class="tag is-condition">
              {condition}
            </span>
          ))}
        </p>
      )}
      {actor.concentration && <Concentrating actor={actor} spell={actor.concentration.spell} />}
    </div>
  );
}

function Wound({ actor }: { actor: Actor }) {
  const { isLive, perform } = useTable();
  const [amount, setAmount] = useState('5');
  const number = Math.min(1000, Math.max(0, Math.trunc(Number(amount)) || 0));
  const apply = (sign: 1 | -1) => () =>
    perform({ kind: 'damage', actorUuid: actor.uuid, amount: sign * number });
  return (
    <div class="wound">
      <input
        type="number"
        min="1"
        max="1000"
        aria-label="Hit points"
        value={amount}
        onInput={(event) => setAmount(event.currentTarget.value)}
      />
      <button disabled={!isLive.value || number === 0} onClick={apply(1)}>
        Damage
      </button>
      <button disabled={!isLive.value || number === 0} onClick={apply(-1)}>
        Heal
      </button>
    </div>
  );
}

function DeathSaves({ actor }: { actor: Actor }) {
  const { isLive, perform } = useTable();
  const { success, failure } = actor.deathSaves;
  return (
    <div class="death-saves">
      <p>
        <Pips value={success} max={3} tone="good" label={`${success} of 3 successes`} /> saved
      </p>
      <p>
        <Pips value={failure} max={3} tone="bad" label={`${failure} of 3 failures`} /> failed
      </p>
      <button
        class="primary"
        disabled={!isLive.value}
        onClick={() =>
          perform({ kind: 'operation', name: 'death-save', parameters: { actorUuid: actor.uuid } })
        }
      >
        Death save
      </button>
    </div>
  );
}

function Concentrating({ actor, spell }: { actor: Actor; spell: string }) {
  const { isLive, perform } = useTable();
  return (
    <p class="concentration">
      <span>
        Concentrating on <strong>{spell}</strong>
      </span>
      <button
        class="quiet"
        disabled={!isLive.value}
        onClick={() =>
          perform({ kind: 'operation', name: 'break-concentration', parameters: { actorUuid: actor.uuid } })
        }
      >
        Let go
      </button>
    </p>
  );
}

/** Filled and empty places: how many of a few are left or done. */
export function Pips({
  value,
  max,
  tone,
  label,
}: {
  value: number;
  max: number;
  tone?: string;
  label: string;
}) {
  return (
    <span class={`pips${tone ? ` tone-${tone}` : ''}`} role="img" aria-label={label}>
      {Array.from({ length: max }, (_, index) => (
        <span key={index} class={index < value ? 'is-full' : ''} />
      ))}
    </span>
  );
}
