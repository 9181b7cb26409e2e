import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { lazy } from '../../parts/lazy.tsx';

const LazyPalette = lazy(async () => (await import('./palette.tsx')).Palette, null);

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** Opens the search over everything that has a page, by Ctrl-K, a question mark or a slash as well. */
export function PaletteButton() {
  const isOpen = useSignal(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut =
        event.key.toLowerCase() === 'k' && (isMac ? event.metaKey : event.ctrlKey) && !event.shiftKey;
      const isSearchKey = ['?', '/'].includes(event.key) && !isWriting(event.target);
      if (!isShortcut && !isSearchKey) return;
      if (event.altKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => (isOpen.value = true)}
      >
        Search <kbd aria-hidden="true">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen.value && <LazyPalette close={() => (isOpen.value = false)} />}
    </>
  );
}
