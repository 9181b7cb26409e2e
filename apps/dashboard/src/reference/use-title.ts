import { useEffect } from 'preact/hooks';

/** Names the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tabletop Relay`;
  }, [title]);
}
