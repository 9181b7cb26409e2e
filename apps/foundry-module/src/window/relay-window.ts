import { tabletop } from '../tabletop/foundry.ts';
import { text } from '../words/text.ts';
import { elementsOf } from './element.ts';
import { drawWindow } from './window-content.ts';
import type { WindowActs, WindowView } from './window-content.ts';
import type { TabName } from './tabs.ts';

export interface RelayWindow {
  open(): void;
  /** Draws anew, where it is open; with a name only while that part is shown. */
  update(only?: TabName): void;
}

/** The one window of the module. It is made of the tabletop's window class once that stands. */
export function createRelayWindow(view: () => WindowView, acts: WindowActs): RelayWindow & { Menu: unknown } {
  const { ApplicationV2 } = tabletop.foundry.applications!.api!;
  let tab: TabName = 'connection';
  const show = (next: TabName) => {
    tab = next;
    update();
  };

  class Window extends ApplicationV2! {
    static override DEFAULT_OPTIONS = {
      id: 'tabletop-relay-window',
      classes: ['tabletop-relay-window'],
      position: { width: 560, height: 'auto' },
      window: { title: text('title'), icon: 'fa-solid fa-tower-broadcast', resizable: true },
    };

    /** The tabletop asks each window for its content. */
    _renderHTML(): Promise<HTMLElement> {
      return Promise.resolve(drawWindow(elementsOf(document), { ...view(), tab }, { ...acts, show }));
    }

    _replaceHTML(result: HTMLElement, content: HTMLElement): void {
      // The frame is the tabletop's, and whether it names its dialogs differs.
      const { element } = this;
      if (!element.hasAttribute('aria-labelledby')) element.setAttribute('aria-label', text('title'));
      keepingFocus(content, () => content.replaceChildren(result));
    }
  }

  const window = new Window();
  const waiting = { all: false, part: false };
  const draw = (which: keyof typeof waiting) => {
    waiting[which] = false;
    if (window.rendered) void window.render();
  };
  const update = (only?: TabName) => {
    if (!window.rendered || (only !== undefined && only !== tab)) return;
    const which = only === undefined ? 'all' : 'part';
    if (waiting[which]) return;
    // Many changes of one moment are drawn once, and a log that fills while nobody looks is not drawn at all.
    waiting[which] = true;
    if (only === undefined) queueMicrotask(() => draw(which));
    else requestAnimationFrame(() => draw(which));
  };
  const open = () => {
    void window.render({ force: true }).then(() => window.bringToFront());
  };

  /** What the settings of the tabletop open: they make one anew at each press. */
  class Menu extends ApplicationV2! {
    override render(): Promise<unknown> {
      open();
      return Promise.resolve(this);
    }
  }

  return {
    Menu,
    open,
    update,
  };
}

/** Whoever types or tabs through the window stays where they are when it is drawn anew. */
function keepingFocus(content: HTMLElement, draw: () => void): void {
  const focused = content.ownerDocument.activeElement;
  const isInside = focused !== null && content.contains(focused);
  const selector = isInside ? (focused.id ? `#${focused.id}` : focused.tagName.toLowerCase()) : undefined;
  const index = selector === undefined ? -1 : [...content.querySelectorAll(selector)].indexOf(focused!);
  draw();
  if (selector === undefined) return;
  const again = content.querySelectorAll<HTMLElement>(selector);
  (again[index] ?? again[0])?.focus();
}
