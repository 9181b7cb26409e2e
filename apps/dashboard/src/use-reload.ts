import { useEffect } from 'preact/hooks';
import type { Resource } from './resource.ts';
import { logNews } from './store.ts';

/** Reads a resource now, and again while calls come, so often at most. */
export function useReload(resource: Pick<Resource<unknown>, 'reload'>, restMs: number): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    void resource.reload();
    const first = logNews.peek();
    const stop = logNews.subscribe((count) => {
      if (count === first) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (document.visibilityState === 'visible') void resource.reload();
      }, restMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [resource]);
}
