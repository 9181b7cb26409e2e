import { lazyPage } from '../../parts/lazy.tsx';

/** Administrators are few: their pages come when they are wanted. */
export const LazyAdminPage = lazyPage(async () => (await import('./admin-page.tsx')).AdminPage);
export const LazyTroublePage = lazyPage(async () => (await import('./trouble/trouble-page.tsx')).TroublePage);
