import { useSignal } from '@preact/signals';
import { actorOf, selectedToken, useTable } from '../table.ts';
import type { Actor } from '../../world/state.ts';
import { Abilities, Skills } from './checks.tsx';
import { ItemActions } from './item-actions.tsx';
import { Roster } from './roster.tsx';
import { Supplies } from './supplies.tsx';
import { Vitals } from './vitals.tsx';
import { challengeText } from './words.ts';
import type { RollMode } from './roll-mode.tsx';
import { RollModeChoice } from './roll-mode.tsx';

/** The sheet of the token that was selected last; without one, everybody to choose from. */
export function Sheet() {
  const { state } = useTable();
  const token = selectedToken(state.value);
  const actor = token && actorOf(state.value, token.actorUuid);
  return (
    <section class="panel sheet" aria-labelledby="sheet-title">
      {actor ? <ActorSheet key={actor.uuid} actor={actor} name={token.name} /> : <Roster />}
    </section>
  );
}

function ActorSheet({ actor, name }: { actor: Actor; name: string }) {
  const { isLive, perform } = useTable();
  const mode = useSignal<RollMode>('normal');
  const rest = (kind: 'short-rest' | 'long-rest') => () =>
    perform({
      kind: 'operation',
      name: kind,
      parameters: { actorUuid: actor.uuid, ...(kind === 'short-rest' ? { autoHD: true } : {}) },
    });
  return (
    <>
      <header class="panel-head">
        <div>
          <h2 id="sheet-title">{name}</h2>
          <p class="subtitle">{whatIs(actor)}</p>
        </div>
        <button
          class="quiet"
          disabled={!isLive.value}
          onClick={() => perform({ kind: 'select', tokenUuids: [] })}
        >
          Close
        </button>
      </header>
      {/* Scrolled by keyboard too, so it takes the focus. */}
      <div class="sheet-body" tabIndex={0} role="group" aria-label={`Sheet of ${name}`}>
        <Vitals actor={actor} />
        <RollModeChoice mode={mode} />
        <Abilities actor={actor} mode={mode.value} />
        <ItemActions actor={actor} />
        <Skills actor={actor} mode={mode.value} />
        <Supplies actor={actor} />
        {actor.kind === 'character' && (
          <div class="buttons">
            <button disabled={!isLive.value} onClick={rest('short-rest')}>
              Short rest
            </button>
            <button disabled={!isLive.value} onClick={rest('long-rest')}>
              Long rest
            </button>
          </div>
        )}
      </div>
    </>
  );
}

function whatIs({ race, className, level, challenge }: Actor): string {
  const calling = className && `${className} ${level}`;
  const danger = challenge === null ? '' : `challenge ${challengeText(challenge)}`;
  return [race, calling, danger].filter(Boolean).join(' · ');
}
