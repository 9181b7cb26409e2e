import { useRef, useState } from 'preact/hooks';
import type { Token } from '../../world/state.ts';

interface DragOptions {
  token: Token;
  /** Pixels per grid square. */
  square: number;
  isEnabled: boolean;
  onSelect: (isAdding: boolean) => void;
  onMove: (columns: number, rows: number) => void;
}

interface Grab {
  pointerId: number;
  fromX: number;
  fromY: number;
}

/** How far a pointer may wander and still count as a click. */
const clickSlackPx = 5;

/** Drags a token by pointer; a press that does not wander selects. `offset` is in pixels, null at rest. */
export function useTokenDrag({ token, square, isEnabled, onSelect, onMove }: DragOptions) {
  const grab = useRef<Grab | null>(null);
  const [offset, setOffset] = useState<{ x: number; y: number } | null>(null);

  const wander = (event: PointerEvent) => {
    const held = grab.current;
    if (held?.pointerId !== event.pointerId) return null;
    const moved = { x: event.clientX - held.fromX, y: event.clientY - held.fromY };
    return Math.hypot(moved.x, moved.y) > clickSlackPx ? moved : null;
  };
  const release = () => {
    grab.current = null;
    setOffset(null);
  };

  return {
    offset,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return;
        grab.current = { pointerId: event.pointerId, fromX: event.clientX, fromY: event.clientY };
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
      },
      onPointerMove(event: PointerEvent) {
        const moved = isEnabled ? wander(event) : null;
        if (moved ?? offset) setOffset(moved ?? { x: 0, y: 0 });
      },
      onPointerUp(event: PointerEvent) {
        if (!grab.current) return;
        const moved = isEnabled ? wander(event) : null;
        release();
        if (moved) onMove(Math.round(token.x + moved.x / square), Math.round(token.y + moved.y / square));
        else onSelect(event.shiftKey);
      },
      onPointerCancel: release,
    },
  };
}
