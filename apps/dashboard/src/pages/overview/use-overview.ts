import type { Overview } from '@tabletop-relay/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import type { Resource } from '../../resource.ts';
import { logNews } from '../../store.ts';

/** The figures are read so often at most while calls come. */
const restMs = 5_000;

/** The figures of the last days, as they change. */
export function useOverview(days: number): Resource<Overview> {
  const overview = useMemo(() => createResource(() => api.getOverview({ days })), [days]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    void overview.reload();
    const first = logNews.peek();
    const stop = logNews.subscribe((count) => {
      if (count === first) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (document.visibilityState === 'visible') void overview.reload();
      }, restMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [overview]);
  return overview;
}
