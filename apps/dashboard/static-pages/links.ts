import path from 'node:path';
import { guidePath, guides } from './guide-list.ts';

/** Pages that stand elsewhere in a relay than among its guides. */
const elsewhere: Readonly<Record<string, (anchor: string) => string>> = {
  'reference/operations.md': (anchor) => (anchor ? `/docs/${anchor}` : '/docs'),
  'reference/account-api.md': (anchor) => (anchor ? `/docs/${anchor}` : '/docs'),
  'reference/errors.md': (anchor) => (anchor ? `/errors/${anchor}` : '/errors'),
};

/** Where a link of a page of `docs/` leads in a relay; undefined for files that relays do not serve. */
export function servedAt(link: string, from: string): string | undefined {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [target = '', anchor = ''] = link.split('#');
  const file = path.posix.join(path.posix.dirname(from), target);
  const special = elsewhere[file];
  if (special) return special(anchor);
  if (!guides.some((guide) => guide.file === file)) return undefined;
  return guidePath(file) + (anchor && `#${anchor}`);
}
