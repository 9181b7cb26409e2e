import { lazy, lazyPage } from '../../parts/lazy.tsx';

/** The plots come when they are wanted. */
export const LazyTonightPage = lazyPage(async () => (await import('./tonight-page.tsx')).TonightPage);

export const LazyWorldTonight = lazy(
  async () => (await import('./small-overviews.tsx')).WorldTonight,
  <div class="plot-room" aria-busy="true" />,
);
