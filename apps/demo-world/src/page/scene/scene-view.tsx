import { useEffect, useRef } from 'preact/hooks';
import type { Scene } from '../../world/state.ts';
import { activeScene, tokenWithTurn, useTable } from '../table.ts';
import { drawingOf } from '../../world/map/drawing.ts';
import { Ground } from './ground.tsx';
import { Legend } from './legend.tsx';
import { Music } from './music.tsx';
import { Things } from './things.tsx';
import { TokenPiece } from './token-piece.tsx';
import { useSquare } from './use-square.ts';

/** The scene that is shown, or a word about how to show one. */
export function SceneView() {
  const scene = activeScene(useTable().state.value);
  if (!scene) return <p class="empty">No scene is shown. Activate one in the world to see it here.</p>;
  return <Canvas scene={scene} />;
}

function Canvas({ scene }: { scene: Scene }) {
  const { state, perform } = useTable();
  const frame = useRef<HTMLDivElement>(null);
  const { extent } = drawingOf(scene);
  const square = useSquare(frame, extent);
  useTurnInView(frame, scene, square);

  const clear = (event: MouseEvent) => {
    const isOnToken = event.target instanceof Element && event.target.closest('[data-token]');
    if (!isOnToken && state.value.selection.length > 0) perform({ kind: 'select', tokenUuids: [] });
  };
  return (
    <div class="scene-place">
      {/* Scrolled by keyboard too, so it takes the focus. */}
      <div
        class="scene-frame"
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={`${scene.name}: ${scene.tokens.length} tokens. Arrow keys move the focused one, Enter selects it.`}
      >
        {square !== undefined && (
          <svg
            class="scene"
            width={extent.width * square}
            height={extent.height * square}
            viewBox={[extent.x, extent.y, extent.width, extent.height].map((part) => part * square).join(' ')}
            onClick={clear}
          >
            <Ground scene={scene} square={square} />
            <Things scene={scene} square={square} />
            {scene.tokens.map((token) => (
              <TokenPiece key={token.uuid} scene={scene} token={token} square={square} />
            ))}
          </svg>
        )}
      </div>
      {square !== undefined && <Legend scene={scene} square={square} />}
      <Music />
    </div>
  );
}

/** Scrolls a scene that is larger than its frame, so that the token whose turn it is can be seen. */
function useTurnInView(frame: { current: HTMLElement | null }, scene: Scene, square: number | undefined) {
  const { state } = useTable();
  const { extent } = drawingOf(scene);
  const uuid = tokenWithTurn(state.value) ?? state.value.selection.at(-1) ?? scene.tokens[0]?.uuid;
  const token = scene.tokens.find((candidate) => candidate.uuid === uuid);
  useEffect(() => {
    if (!frame.current || !token || square === undefined) return;
    const { clientWidth, clientHeight } = frame.current;
    frame.current.scrollTo({
      left: (token.x + token.size / 2 - extent.x) * square - clientWidth / 2,
      top: (token.y + token.size / 2 - extent.y) * square - clientHeight / 2,
    });
  }, [uuid, scene.id, square]);
}
