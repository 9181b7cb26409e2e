import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

const page = signal<ComponentType | undefined>(undefined);

/** The operations and their schemas come when they are wanted: who only looks after worlds never loads them. */
export function LazyTryPage() {
  useEffect(() => {
    void import('./try-page.tsx').then(({ TryPage }) => (page.value = TryPage));
  }, []);
  const TryPage = page.value;
  return TryPage ? <TryPage /> : <main class="loading" aria-busy="true" />;
}
