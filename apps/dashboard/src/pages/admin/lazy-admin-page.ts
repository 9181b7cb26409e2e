import { lazyPage } from '../../parts/lazy.tsx';

/** Administrators are few: the page comes when it is wanted. */
export const LazyAdminPage = lazyPage(async () => (await import('./admin-page.tsx')).AdminPage);
