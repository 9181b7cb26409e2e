import { lazyPage } from '../../parts/lazy.tsx';

/** Most people keep their own tab open. */
export const LazySessionsPage = lazyPage(async () => (await import('./sessions-page.tsx')).SessionsPage);
export const LazyNewSessionPage = lazyPage(async () => (await import('./new-session.tsx')).NewSessionPage);
