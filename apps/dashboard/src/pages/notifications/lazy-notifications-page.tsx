import { lazyPage } from '../../parts/lazy.tsx';

/** Most people set it once. */
export const LazyNotificationsPage = lazyPage(
  async () => (await import('./notifications-page.tsx')).NotificationsPage,
);
