import { useLayoutEffect, useRef } from 'preact/hooks';
import { place } from '../router.ts';
import { attention, isIn } from '../store.ts';
import { AccountMenu } from './account-menu.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { ThemeButton } from './theme-button.tsx';

const tabs = [
  ['/dashboard', 'Tonight', /^\/dashboard$/],
  ['/dashboard/worlds', 'Worlds', /^\/dashboard\/(worlds(\/.*)?|pair)$/],
  ['/dashboard/sessions', 'Hosted', /^\/dashboard\/sessions/],
  ['/dashboard/keys', 'Keys', /^\/dashboard\/(keys|assistants|overlay)/],
  ['/dashboard/try', 'Try it', /^\/dashboard\/try/],
  ['/dashboard/activity', 'Activity', /^\/dashboard\/activity/],
] as const;

export function Header() {
  const { path } = place.value;
  const pages = useRef<HTMLElement>(null);
  // On a narrow phone the row of pages scrolls.
  useLayoutEffect(() => {
    pages.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  const mayGoOn = isIn.value;
  return (
    <header class="head">
      <a class="brand" href="/dashboard" aria-label="Tabletop Relay">
        <Mark />
        <span class={mayGoOn ? 'brand-name' : ''}>Tabletop Relay</span>
      </a>
      {mayGoOn && (
        <nav aria-label="Pages" ref={pages}>
          {tabs.map(([href, word, here]) => (
            <a href={href} key={href} aria-current={here.test(path) ? 'page' : undefined}>
              {word}
              {href === '/dashboard' && <AttentionDot />}
            </a>
          ))}
        </nav>
      )}
      <div class="tools">
        {mayGoOn && <PaletteButton />}
        <a href="/docs">Docs</a>
        <ThemeButton />
        {mayGoOn && <AccountMenu />}
      </div>
    </header>
  );
}

/** Says on every page that something needs attention: the home lists what. */
function AttentionDot() {
  const count = attention.data.value?.length ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span class="attention-dot" title="Needs attention" aria-hidden="true" />
      <span class="visually-hidden">
        {count === 1 ? 'one thing needs' : `${count} things need`} attention
      </span>
    </>
  );
}

/** A die that sends. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" class="mark">
      <path d="M12 1l9.5 5.5v11L12 23l-9.5-5.5v-11z" />
      <path class="wave" d="M8 15.5a5.6 5.6 0 0 1 8 0M5.6 12.6a9 9 0 0 1 12.8 0" />
      <circle class="source" cx="12" cy="18" r="1.4" />
    </svg>
  );
}
