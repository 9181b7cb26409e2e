import { lazyPage } from '../../parts/lazy.tsx';

/** The operations and their schemas come when they are wanted: who only looks after worlds never loads them. */
export const LazyTryPage = lazyPage(async () => (await import('./try-page.tsx')).TryPage);
