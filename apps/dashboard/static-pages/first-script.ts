import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const source = readFileSync(path.join(import.meta.dirname, '../first.js'), 'utf8');
const version = createHash('sha256').update(source).digest('hex').slice(0, 8);

/** The script that each document runs before it is painted. Its name changes with its content, so that a browser asks for it once. */
export const firstScript = { file: `assets/first-${version}.js`, source };

const placeholder = '<!--first-->';

/** Paths that a page requests while its code loads. `{last}` stands for the last part of the page’s own path. */
export interface Asks {
  asks: readonly string[];
  /** On a fast line these are read when the account's event stream is open, once. */
  asksOnSlowLine?: readonly string[];
}

/** Puts the script into a document. */
export function withFirstScript(
  document: string,
  { asks, asksOnSlowLine = [] }: Asks = { asks: [] },
): string {
  if (!document.includes(placeholder)) throw new Error(`the document has no place for the first script`);
  const data = [
    ...(asks.length > 0 ? [`data-asks="${asks.join(' ')}"`] : []),
    ...(asksOnSlowLine.length > 0 ? [`data-asks-on-slow-line="${asksOnSlowLine.join(' ')}"`] : []),
  ];
  const tag = ['script', `src="/dashboard/${firstScript.file}"`, ...data].join(' ');
  return document.replace(placeholder, () => `<${tag}></script>`);
}
