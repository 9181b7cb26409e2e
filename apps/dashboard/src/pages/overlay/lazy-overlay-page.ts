import { lazyPage } from '../../parts/lazy.tsx';

/** Few people come here, and once. */
export const LazyOverlayPage = lazyPage(async () => (await import('./overlay-page.tsx')).OverlayPage);
