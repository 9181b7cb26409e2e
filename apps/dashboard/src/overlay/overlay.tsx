import type { Following } from './follow.ts';
import type { OverlayLook } from './overlay-link.ts';
import type { Health, Picture, Roll } from './picture.ts';
import { seenCombatants, wordOf } from './picture.ts';

/** Initiative, hit points and the last roll, on a transparent ground. */
export function Overlay({ following, look }: { following: Following; look: OverlayLook }) {
  const picture = following.picture.value;
  return (
    <div class={`overlay size-${look.size} ${look.hasPlates ? 'has-plates' : ''}`}>
      <Fight picture={picture} look={look} />
      {look.showsRolls && picture.roll && <LastRoll roll={picture.roll} key={picture.roll.id} />}
      <p class="trouble" role="status">
        {following.trouble.value}
      </p>
    </div>
  );
}

function Fight({ picture: { fight, health }, look }: { picture: Picture; look: OverlayLook }) {
  if (!fight) return null;
  return (
    <section class="fight" aria-label="Initiative">
      <h2>
        Round <strong>{fight.round}</strong>
      </h2>
      <ol>
        {seenCombatants(fight).map(({ id, name, initiative, actorUuid, defeated, hasTurn }) => (
          <li
            key={id}
            class={`${hasTurn && !defeated ? 'has-turn' : ''} ${defeated ? 'is-defeated' : ''}`}
            aria-current={hasTurn ? 'step' : undefined}
          >
            <span class="initiative">{initiative ?? '–'}</span>
            <span class="name">{name}</span>
            <HealthOf
              health={look.showsHealth ? health.get(actorUuid ?? '') : undefined}
              isDefeated={defeated}
              look={look}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface HealthOfProps {
  health: Health | undefined;
  isDefeated: boolean;
  look: OverlayLook;
}

function HealthOf({ health, isDefeated, look: { monsters } }: HealthOfProps) {
  if (isDefeated) return <span class="hp-word">defeated</span>;
  if (!health) return null;
  const share = Math.min(1, Math.max(0, health.value / Math.max(1, health.max)));
  const tone = share > 0.5 ? 'good' : share > 0.25 ? 'warn' : 'bad';
  if (!health.isCharacter && monsters === 'nothing') return null;
  if (!health.isCharacter && monsters === 'words')
    return <span class={`hp-word tone-${tone}`}>{wordOf(health)}</span>;
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
        to your streaming program as a browser source.
      </p>
      <p>
        This address has no key. Choose what your viewers see on{' '}
        <a href="/dashboard/overlay">the page that builds it</a>, and copy the address from there.
      </p>
      <p>
        What stands behind the <code>#</code> of that address is sent to no server, but whoever has the
        address has its key.
      </p>
    </main>
  );
}
