import { text } from '../words/text.ts';
import type { MakeElement } from './element.ts';

export const tabNames = ['connection', 'policy', 'code', 'activity', 'help'] as const;
export type TabName = (typeof tabNames)[number];

/** The list of the window's parts, and the one that is shown. Arrow keys, Home and End go through the list. */
export function drawTabs(
  element: MakeElement,
  { shown, show }: { shown: TabName; show: (tab: TabName) => void },
  ...content: HTMLElement[]
): HTMLElement[] {
  const move = (event: KeyboardEvent) => {
    const index = tabNames.indexOf(shown);
    const last = tabNames.length - 1;
    const next: Record<string, number> = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    const to = next[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabNames[to]!;
    // The focus stays where it is when the window is drawn anew.
    (event.currentTarget as HTMLElement).ownerDocument.getElementById(`tabletop-relay-tab-${tab}`)?.focus();
    show(tab);
  };
  const list = element(
    'div',
    { role: 'tablist', class: 'tabletop-relay-tabs', 'aria-label': text('title') },
    ...tabNames.map((tab) =>
      element(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tabletop-relay-tab-${tab}`,
          'aria-selected': String(tab === shown),
          'aria-controls': 'tabletop-relay-panel',
          tabindex: tab === shown ? '0' : '-1',
          onclick: () => show(tab),
          onkeydown: move,
        },
        text(`tab.${tab}`),
      ),
    ),
  );
  const panel = element(
    'div',
    {
      role: 'tabpanel',
      id: 'tabletop-relay-panel',
      class: 'tabletop-relay-panel',
      'aria-labelledby': `tabletop-relay-tab-${shown}`,
    },
    ...content,
  );
  return [list, panel];
}
