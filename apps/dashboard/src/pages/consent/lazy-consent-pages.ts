import { lazyPage } from '../../parts/lazy.tsx';

/** Wanted when an assistant is signed in, and hardly ever else. */
export const LazyConsentPage = lazyPage(async () => (await import('./consent-page.tsx')).ConsentPage);

export const LazyRefusedPage = lazyPage(async () => (await import('./refused-page.tsx')).RefusedPage);
