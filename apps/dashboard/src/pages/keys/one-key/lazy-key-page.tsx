import { lazyPage } from '../../../parts/lazy.tsx';

/** Its plot and the words of its calls come when they are wanted. */
export const LazyKeyPage = lazyPage(async () => (await import('./key-page.tsx')).KeyPage);
