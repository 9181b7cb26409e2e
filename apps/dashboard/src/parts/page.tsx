import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  title: string;
  /** Beside the title: what can be done here. */
  actions?: ComponentChildren;
  /** Narrow pages hold one form. */
  narrow?: boolean;
  children: ComponentChildren;
}

/** Moves the focus to the page's title, for people who navigate by keyboard or hear the page. */
export function focusTitle(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** One screen: its title also names the tab, and takes the focus when the person comes here. */
export function Page({ title, actions, narrow = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tabletop Relay`;
  }, [title]);
  return (
    <main id="content" class={narrow ? 'narrow' : ''}>
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {children}
    </main>
  );
}
