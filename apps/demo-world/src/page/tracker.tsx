import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Combatant, Encounter, WorldState } from '../world/state.ts';
import { healthOf } from './health.ts';
import { activeScene, actorOf, currentEncounter, tokenOf, useTable } from './table.ts';

/** The combat tracker: who is in the fight, whose turn it is, and the buttons that move it. */
export function Tracker() {
  const { state } = useTable();
  const encounter = currentEncounter(state.value);
  return (
    <section class="panel tracker" aria-labelledby="tracker-title">
      <header class="panel-head">
        <h2 id="tracker-title">{encounter?.name || 'Combat'}</h2>
        {encounter?.started && (
          <p class="round" aria-live="polite">
            Round <strong>{encounter.round}</strong>
          </p>
        )}
        {encounter && <EndButton />}
      </header>
      {encounter ? <Fight encounter={encounter} /> : <NoFight state={state.value} />}
    </section>
  );
}

function NoFight({ state }: { state: WorldState }) {
  const { isLive, perform } = useTable();
  const selected = state.selection.length;
  const begin = (tokenUuids: readonly string[]) =>
    perform({ kind: 'operation', name: 'start-encounter', parameters: { tokenUuids, rollAll: true } });
  return (
    <div class="empty">
      <p>Swords are sheathed. Select who shall fight, or begin with everybody in the scene.</p>
      <div class="buttons">
        {selected > 0 && (
          <button class="primary" disabled={!isLive.value} onClick={() => begin(state.selection)}>
            Begin with {selected} selected
          </button>
        )}
        <button
          class={selected > 0 ? '' : 'primary'}
          disabled={!isLive.value}
          onClick={() => begin(activeScene(state)?.tokens.map((token) => token.uuid) ?? [])}
        >
          Begin with everybody
        </button>
      </div>
    </div>
  );
}

function Fight({ encounter }: { encounter: Encounter }) {
  return (
    <>
      <ol class="combatants">
        {encounter.combatants.map((combatant, index) => (
          <Row
            key={combatant.id}
            combatant={combatant}
            hasTurn={encounter.started && index === encounter.turn}
          />
        ))}
      </ol>
      <Controls />
    </>
  );
}

/** Scrolls the list, and nothing else of the page, so far that the row whose turn it is stands in it. */
function useInList(row: RefObject<HTMLElement | null>, hasTurn: boolean): void {
  useEffect(() => {
    const list = row.current?.parentElement;
    if (!hasTurn || !row.current || !list) return;
    const { offsetTop, offsetHeight } = row.current;
    if (offsetTop < list.scrollTop) list.scrollTop = offsetTop;
    else list.scrollTop = Math.max(list.scrollTop, offsetTop + offsetHeight - list.clientHeight);
  }, [hasTurn]);
}

function Row({ combatant, hasTurn }: { combatant: Combatant; hasTurn: boolean }) {
  const { state, isLive, perform } = useTable();
  const actor = actorOf(state.value, combatant.actorUuid);
  const token = tokenOf(state.value, combatant.tokenUuid);
  const health = actor && healthOf(actor);
  const row = useRef<HTMLLIElement>(null);
  useInList(row, hasTurn);
  return (
    <li
      ref={row}
      class={`combatant${hasTurn ? ' has-turn' : ''}${combatant.defeated ? ' is-defeated' : ''}`}
      aria-current={hasTurn ? 'step' : undefined}
    >
      <span class="turn-arrow" aria-hidden="true">
        {hasTurn ? '▶' : ''}
      </span>
      {combatant.initiative === null ? (
        <button
          class="initiative"
          disabled={!isLive.value}
          aria-label={`Roll initiative for ${combatant.name}`}
          onClick={() => perform({ kind: 'roll-initiative', combatantId: combatant.id })}
        >
          roll
        </button>
      ) : (
        <span class="initiative" title="Initiative">
          {combatant.initiative}
        </span>
      )}
      <button
        class="who"
        disabled={!isLive.value}
        onClick={() => perform({ kind: 'select', tokenUuids: [combatant.tokenUuid] })}
      >
        <span class="swatch" style={{ background: token?.color ?? 'transparent' }} aria-hidden="true" />
        <span class="name">{combatant.name}</span>
        {hasTurn && <span class="visually-hidden">has the turn</span>}
      </button>
      {combatant.hidden && <span class="tag">hidden</span>}
      {combatant.defeated ? (
        <span class="tag">defeated</span>
      ) : (
        health && (
          <span class={`hp tone-${health.tone}`} title={health.word}>
            {actor.hitPoints.value > 0 ? (
              <span class="hp-bar" aria-hidden="true">
                <span style={{ width: `${health.share * 100}%` }} />
              </span>
            ) : (
              <small class="down">{health.word}</small>
            )}
            <span class="number">
              {actor.hitPoints.value}
              <small>/{actor.hitPoints.max}</small>
            </span>
            <span class="visually-hidden">hit points{actor.hitPoints.value > 0 && `, ${health.word}`}</span>
          </span>
        )
      )}
    </li>
  );
}

function Controls() {
  const { isLive, perform } = useTable();
  const move = (name: string) => () => perform({ kind: 'operation', name, parameters: {} });
  return (
    <div class="controls">
      <button disabled={!isLive.value} onClick={move('last-round')}>
        ‹‹ <span>Round</span>
        <span class="visually-hidden">back</span>
      </button>
      <button disabled={!isLive.value} onClick={move('last-turn')}>
        ‹ <span>Back</span>
        <span class="visually-hidden">one turn</span>
      </button>
      <button class="primary" disabled={!isLive.value} onClick={move('next-turn')}>
        Next turn
      </button>
      <button disabled={!isLive.value} onClick={move('next-round')}>
        <span class="visually-hidden">Next</span> <span>Round</span> ››
      </button>
    </div>
  );
}

function EndButton() {
  const { isLive, perform } = useTable();
  return (
    <button
      class="quiet"
      disabled={!isLive.value}
      onClick={() => perform({ kind: 'operation', name: 'end-encounter', parameters: {} })}
    >
      End fight
    </button>
  );
}
