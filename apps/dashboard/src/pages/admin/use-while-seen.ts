import { useEffect } from 'preact/hooks';
import type { Resource } from '../../resource.ts';

/** Reads a resource now, and again and again while the page is seen. */
export function useWhileSeen(resource: Pick<Resource<unknown>, 'reload'>, everyMs: number): void {
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void resource.reload();
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [resource]);
}
