import { lazyPage } from '../../parts/lazy.tsx';

/** Wanted when a world is paired, and hardly ever else. */
export const LazyPairRequestPage = lazyPage(
  async () => (await import('./pair-request-page.tsx')).PairRequestPage,
);
