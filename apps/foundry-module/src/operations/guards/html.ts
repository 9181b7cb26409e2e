import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { Data } from '../../tabletop/documents.ts';
import { isMaster } from '../acting.ts';
import type { ActingUser } from '../acting.ts';

/**
 * Elements that run code, load pages, or take over the page that they stand in. Those whose text browsers write out raw (`xmp` and the like) are
 * read as elements where the text is parsed once more within SVG or MathML.
 */
const forbiddenElements =
  'script,iframe,frame,frameset,object,embed,applet,link,meta,base,style,template,noscript,noembed,noframes,xmp,plaintext,portal,svg script,svg use,foreignObject,animate,set';

/** Attributes whose value is an address that a browser may run. */
const addresses = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'xlink:href',
  'data',
  'poster',
  'ping',
  'background',
]);

/** HTML without what runs code in the browsers that show it. Text that has none of it comes back as it is. */
export function cleanHtml(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return clean(body) ? body.innerHTML : html;
}

/** Takes away what is dangerous; tells whether there was any. */
function clean(root: HTMLElement): boolean {
  let isChanged = false;
  for (const element of root.querySelectorAll(forbiddenElements)) {
    element.remove();
    isChanged = true;
  }
  // An element of the page itself gives its attributes to the root.
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (!isDangerous(name.toLowerCase(), value)) continue;
      element.removeAttribute(name);
      isChanged = true;
    }
  }
  return isChanged;
}

function isDangerous(name: string, value: string): boolean {
  if (name.startsWith('on') || name === 'srcdoc') return true;
  if (name === 'style') return /expression\(|url\(\s*['"]?\s*javascript:/i.test(value);
  if (!addresses.has(name)) return false;
  // Browsers read over spaces and control characters in a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(
    Array.from(value)
      .filter((one) => one > ' ')
      .join(''),
  )?.[1];
  if (scheme === undefined) return false;
  return !['http', 'https', 'mailto', 'data'].includes(scheme.toLowerCase()) || isDataPage(value);
}

const isDataPage = (value: string): boolean =>
  /^\s*data:/i.test(value) && !/^\s*data:(image\/(png|jpe?g|gif|webp|avif)|audio\/|video\/)/i.test(value);

/**
 * A caller's data for a document. Players' texts are cleaned, as the tabletop does with theirs. With everything of the world a text that runs code
 * needs the scope for scripts, which the relay tells in `_scopes`: whoever shows it runs it.
 */
export function safeData(user: ActingUser, data: Data, parameters: object): Data {
  const { _scopes: scopes } = parameters as { _scopes?: unknown };
  if (!isMaster(user)) return walk(data) as Data;
  const mayScript = !Array.isArray(scopes) || scopes.includes('script:execute');
  if (mayScript || !runsCode(data)) return data;
  throw new OperationRefused('HTML that runs code needs the scope script:execute', 'permission_denied');
}

/** Whether there is HTML in the data that runs code in the browsers that show it. */
export const runsCode = (data: unknown): boolean => JSON.stringify(walk(data)) !== JSON.stringify(data);

/** The code of a macro is no HTML. */
function walk(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return key === 'command' ? value : cleanHtml(value);
  if (Array.isArray(value)) return value.map((one) => walk(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
}
