import { lazyPage } from '../../parts/lazy.tsx';

/** Few people come here, and once. */
export const LazyAssistantsPage = lazyPage(
  async () => (await import('./assistants-page.tsx')).AssistantsPage,
);
