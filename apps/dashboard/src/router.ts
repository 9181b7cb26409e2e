import { signal } from '@preact/signals';
import { askToLeave, isKept } from './leave-guard.ts';

interface Place {
  /** Without a slash at the end. */
  path: string;
  search: string;
}

const here = (): Place => ({
  path: location.pathname.replace(/\/+$/, '') || '/',
  search: location.search,
});

/** Where the person is; the address bar follows it and it follows the address bar. */
export const place = signal<Place>(here());

const firstPlace = place.peek();

/** Whether the person has gone nowhere yet. Browsers themselves put the focus on the first page. */
export const isFirstPage = () => place.peek() === firstPlace;

/** Goes to an address of ours, without loading the page again. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  place.value = here();
  if (!replace) scrollTo(0, 0);
}

/** The paths that this document shows without being loaded again; none unless it follows links. */
let ours = /^$/;

/** Whether this document shows the page at an address. */
export const isOurs = (to: string): boolean => ours.test(new URL(to, location.href).pathname);

/** Makes links to our own pages, those of these paths, navigate; to be called once. */
export function followLinks(paths = /^\/(dashboard|approve|pair|oauth)(\/|$)/): void {
  ours = paths;
  addEventListener('popstate', goBack);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.origin !== location.origin) return;
    if (!isOurs(link.href)) return;
    event.preventDefault();
    askToLeave(() => navigate(link.pathname + link.search));
  });
}

/** The browser has gone already; a page that would lose something is gone back to, and asks. */
function goBack(): void {
  const next = location.pathname + location.search;
  if (isKept()) history.pushState(null, '', place.peek().path + place.peek().search);
  askToLeave(() => (isSameAddress(next) ? (place.value = here()) : navigate(next)));
}

const isSameAddress = (address: string) => location.pathname + location.search === address;

/** The parts of the path that a pattern such as `/dashboard/keys/:id` names; undefined where it does not fit. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) found[part.slice(1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where to go on: the address of ours that `next` in the query names, or else this one. */
export function nextPlace(otherwise: string): string {
  const next = new URLSearchParams(place.value.search).get('next') ?? '';
  return /^\/(dashboard|approve|pair|oauth\/consent)(\/|$|\?)/.test(next) ? next : otherwise;
}

/** Where to go on after signing in. */
export const nextAfterSignIn = () => nextPlace('/dashboard');
