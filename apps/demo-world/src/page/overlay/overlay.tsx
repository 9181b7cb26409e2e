import type { Following } from './follow.ts';
import type { Health, Picture, Roll } from './picture.ts';
import { seenCombatants } from './picture.ts';

/** Initiative, hit points and the last roll, on a transparent ground. */
export function Overlay({ following }: { following: Following }) {
  const picture = following.picture.value;
  return (
    <main class="overlay">
      <Fight picture={picture} />
      {picture.roll && <LastRoll roll={picture.roll} key={picture.roll.id} />}
      <p class="trouble" role="status">
        {following.trouble.value}
      </p>
    </main>
  );
}

function Fight({ picture: { fight, health } }: { picture: Picture }) {
  if (!fight) return null;
  return (
    <section class="fight" aria-label="Initiative">
      <h1>
        Round <strong>{fight.round}</strong>
      </h1>
      <ol>
        {seenCombatants(fight).map(({ id, name, initiative, actorUuid, defeated, hasTurn }) => (
          <li
            key={id}
            class={`${hasTurn ? 'has-turn' : ''} ${defeated ? 'is-defeated' : ''}`}
            aria-current={hasTurn ? 'step' : undefined}
          >
            <span class="initiative">{initiative ?? '–'}</span>
            <span class="name">{name}</span>
            <HitPoints health={health.get(actorUuid ?? '')} isDefeated={defeated} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function HitPoints({ health, isDefeated }: { health: Health | undefined; isDefeated: boolean }) {
  if (isDefeated) return <span class="hp-word">defeated</span>;
  if (!health) return null;
  const share = Math.min(1, Math.max(0, health.value / Math.max(1, health.max)));
  const tone = share > 0.5 ? 'good' : share > 0.25 ? 'warn' : 'bad';
  return (
    <span class={`hp tone-${tone}`}>
      <span class="hp-bar" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span class="number">
        {health.value}
        <small>/{health.max}</small>
      </span>
      <span class="visually-hidden">hit points</span>
    </span>
  );
}

function LastRoll({ roll }: { roll: Roll }) {
  const { who, what, formula, total, isCritical, isFumble } = roll;
  const word = isCritical ? '★ Natural 20' : isFumble ? '✕ Natural 1' : undefined;
  return (
    <section class="last-roll" aria-label="Last roll" aria-live="polite">
      <p class="total">{total}</p>
      <div>
        <p class="who">{who}</p>
        <p class="what">
          {what} <code>{formula}</code>
        </p>
        {word && <p class={`outcome tone-${isCritical ? 'good' : 'bad'}`}>{word}</p>}
      </div>
    </section>
  );
}

/** What the page says when it was opened without a link that is complete. */
export function NoLink() {
  return (
    <main class="no-link">
      <h1>A stream overlay</h1>
      <p>
        It shows initiative, hit points and the last public roll of a world, on a transparent ground: add it
        to your streaming program as a browser source. Its address says where to look:
      </p>
      <p>
        <code>{`${location.origin}${location.pathname}#relay=https://your.relay&client=…&key=trk_…`}</code>
      </p>
      <p>
        Make a key of its own in the relay’s dashboard, for this one world, that may follow events, see
        encounters and read characters. What stands behind the <code>#</code> is sent to no server, but
        whoever has the address has the key.
      </p>
    </main>
  );
}
