import type { Token } from '../../world/state.ts';
import { healthOf } from '../health.ts';
import { activeScene, actorOf, useTable } from '../table.ts';

/** Everybody in the scene, shown while nobody is selected. */
export function Roster() {
  const { state } = useTable();
  const tokens = activeScene(state.value)?.tokens ?? [];
  const isCharacter = (token: Token) => actorOf(state.value, token.actorUuid)?.kind === 'character';
  return (
    <>
      <header class="panel-head">
        <h2 id="sheet-title">In this scene</h2>
      </header>
      <div class="sheet-body">
        <p class="empty">Choose somebody here or on the map to see their sheet and roll for them.</p>
        <Group title="The party" tokens={tokens.filter(isCharacter)} />
        <Group title="The others" tokens={tokens.filter((token) => !isCharacter(token))} />
      </div>
    </>
  );
}

function Group({ title, tokens }: { title: string; tokens: Token[] }) {
  if (tokens.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="roster">
        {tokens.map((token) => (
          <Entry key={token.uuid} token={token} />
        ))}
      </ul>
    </>
  );
}

function Entry({ token }: { token: Token }) {
  const { state, isLive, perform } = useTable();
  const actor = actorOf(state.value, token.actorUuid);
  const health = actor && healthOf(actor);
  return (
    <li>
      <button disabled={!isLive.value} onClick={() => perform({ kind: 'select', tokenUuids: [token.uuid] })}>
        <span class="swatch" style={{ background: token.color }} aria-hidden="true" />
        <span class="name">{token.name}</span>
        {health && <span class={`tone-${health.tone}`}>{health.word}</span>}
      </button>
    </li>
  );
}
