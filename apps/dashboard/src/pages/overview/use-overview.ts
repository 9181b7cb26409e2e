import type { Overview } from '@tabletop-relay/contract';
import { useMemo } from 'preact/hooks';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import type { Resource } from '../../resource.ts';
import { useReload } from '../../use-reload.ts';

const restMs = 5_000;

/** The figures of the last days, of all keys or of one, as they change. */
export function useOverview(days: number, key?: string): Resource<Overview> {
  const overview = useMemo(() => createResource(() => api.getOverview({ days, key })), [days, key]);
  useReload(overview, restMs);
  return overview;
}
