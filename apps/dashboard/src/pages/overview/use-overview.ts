import type { Overview } from '@tabletop-relay/contract';
import { useMemo } from 'preact/hooks';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import type { Resource } from '../../resource.ts';
import { useReload } from '../../use-reload.ts';
import { spans } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';

const restMs = 5_000;

/** The figures of a time, of all keys or of one, as they change. */
export function useOverview(span: Span, key?: string): Resource<Overview> {
  const overview = useMemo(
    () => createResource(() => api.getOverview({ ...spans[span].asked, key })),
    [span, key],
  );
  useReload(overview, restMs);
  return overview;
}
