import { lazyPage } from '../../parts/lazy.tsx';

/** The words of operations come when they are wanted. */
export const LazyActivityPage = lazyPage(async () => (await import('./activity-page.tsx')).ActivityPage);
