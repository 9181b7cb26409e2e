import { lazy, lazyPage } from '../../parts/lazy.tsx';

/** The plots come when they are wanted. */
export const LazyOverviewPage = lazyPage(async () => (await import('./overview-page.tsx')).OverviewPage);

export const LazyWorldOverview = lazy(
  async () => (await import('./small-overviews.tsx')).WorldOverview,
  <div class="plot-room" aria-busy="true" />,
);
