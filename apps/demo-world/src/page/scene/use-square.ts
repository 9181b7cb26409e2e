import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Extent } from '../../world/map/drawing.ts';

/** A finger needs more room than a mouse. */
const smallestSquare = matchMedia('(pointer: coarse)').matches ? 30 : 20;
const largestSquare = 64;

/**
 * Pixels per grid square: the scene fills its frame, and scrolls where squares would get too small to touch.
 * Undefined until the frame was measured: tokens that were drawn before would slide to their places.
 */
export function useSquare(
  frame: RefObject<HTMLElement | null>,
  { width, height }: Extent,
): number | undefined {
  const [square, setSquare] = useState<number>();
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => {
      const fitting = Math.min(element.clientWidth / width, element.clientHeight / height);
      setSquare(Math.max(smallestSquare, Math.min(largestSquare, Math.floor(fitting * 4) / 4)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [frame, width, height]);
  return square;
}
