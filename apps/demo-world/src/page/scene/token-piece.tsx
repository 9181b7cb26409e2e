import type { Scene, Token } from '../../world/state.ts';
import { healthOf } from '../health.ts';
import { actorOf, tokenWithTurn, useTable } from '../table.ts';
import { RollBubble } from './roll-bubble.tsx';
import { TokenFigure } from './token-figure.tsx';
import { useTokenDrag } from './use-token-drag.ts';

interface Piece {
  scene: Scene;
  token: Token;
  /** Pixels per grid square. */
  square: number;
}

const steps: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** One token that can be picked up: pointer, arrow keys, Enter or Space to select, Shift to add. */
export function TokenPiece({ scene, token, square }: Piece) {
  const { state, isLive, perform } = useTable();
  const actor = actorOf(state.value, token.actorUuid);
  const isSelected = state.value.selection.includes(token.uuid);
  const hasTurn = tokenWithTurn(state.value) === token.uuid;

  const select = (isAdding: boolean) =>
    perform({ kind: 'select', tokenUuids: afterClick(state.value.selection, token.uuid, isAdding) });
  const moveTo = (x: number, y: number) => {
    const target = { x: within(x, scene.columns - token.size), y: within(y, scene.rows - token.size) };
    if (target.x !== token.x || target.y !== token.y) {
      perform({ kind: 'move-token', tokenUuid: token.uuid, ...target });
    }
  };
  const drag = useTokenDrag({ token, square, isEnabled: isLive.value, onSelect: select, onMove: moveTo });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) moveTo(token.x + step.x, token.y + step.y);
    else if (event.key === 'Enter' || event.key === ' ') select(event.shiftKey);
    else if (event.key === 'Escape') perform({ kind: 'select', tokenUuids: [] });
    else return;
    event.preventDefault();
  };

  const left = (token.x + token.size / 2) * square + (drag.offset?.x ?? 0);
  const top = (token.y + token.size / 2) * square + (drag.offset?.y ?? 0);
  const health = actor
    ? `${actor.hitPoints.value} of ${actor.hitPoints.max} hit points, ${healthOf(actor).word}`
    : '';
  const half = (token.size * square) / 2;
  return (
    <g
      class={`piece${drag.offset ? ' is-held' : ''}`}
      style={{ transform: `translate(${left}px, ${top}px)` }}
    >
      <TokenFigure token={token} actor={actor} square={square} isSelected={isSelected} hasTurn={hasTurn} />
      <circle
        class="handle"
        r={half}
        role="button"
        tabindex={0}
        data-token={token.uuid}
        aria-pressed={isSelected}
        aria-label={[
          token.name,
          health,
          hasTurn && 'has the turn',
          token.hidden && 'hidden from players',
          `column ${token.x + 1}, row ${token.y + 1}`,
        ]
          .filter(Boolean)
          .join(', ')}
        onKeyDown={onKeyDown}
        {...drag.handlers}
      />
      {drag.offset && <Ruler offset={drag.offset} square={square} size={token.size} />}
      <RollBubble speaker={actor?.name ?? token.name} above={half} />
    </g>
  );
}

/** How far a held token has come: one square is five feet, and a diagonal step counts as one. */
function Ruler({ offset, square, size }: { offset: { x: number; y: number }; square: number; size: number }) {
  const feet = Math.max(Math.abs(Math.round(offset.x / square)), Math.abs(Math.round(offset.y / square))) * 5;
  return (
    <g class="ruler" aria-hidden="true">
      <path d={`M${-offset.x} ${-offset.y}L0 0`} />
      <text y={-(size * square) / 2 - 10}>{feet} ft</text>
    </g>
  );
}

function afterClick(selection: readonly string[], uuid: string, isAdding: boolean): string[] {
  if (!isAdding) return [uuid];
  return selection.includes(uuid) ? selection.filter((other) => other !== uuid) : [...selection, uuid];
}

const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
