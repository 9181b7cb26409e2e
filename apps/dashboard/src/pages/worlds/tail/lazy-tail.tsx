import { lazy } from '../../../parts/lazy.tsx';

/** The code of the streams comes only to a page that may follow them. */
export const LazyTail = lazy(
  async () => (await import('./live-tail.tsx')).LiveTail,
  <section aria-busy="true" />,
);
