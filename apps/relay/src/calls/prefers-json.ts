import type { ResultBytes } from '@tabletop-relay/contract';

/**
 * Whether an `Accept` header prefers JSON to every other type. JSON with the same weight as other types is no preference:
 * several HTTP libraries send that by default.
 */
export function prefersJson(accept: string | undefined): boolean {
  let json = 0;
  let others = 0;
  for (const [type, weight] of rangesOf(accept)) {
    if (type === 'application/json') json = Math.max(json, weight);
    else if (type !== 'application/problem+json') others = Math.max(others, weight);
  }
  return json > others;
}

/** Whether a call is answered with the file in the world’s reply, and not with the reply. */
export function asksForFile(
  { onlyFor, inJson }: ResultBytes,
  parameters: Readonly<Record<string, unknown>>,
  accept: string | undefined,
): boolean {
  if (inJson && parameters[inJson.parameter] === inJson.value) return false;
  return onlyFor === undefined ? !prefersJson(accept) : prefersType(accept, onlyFor);
}

/** Whether an `Accept` header names a kind of media, and JSON not before it. */
function prefersType(accept: string | undefined, kind: string): boolean {
  const isNamed = rangesOf(accept).some(([type, weight]) => type.startsWith(`${kind}/`) && weight > 0);
  return isNamed && !prefersJson(accept);
}

/** Whether an `Accept` header names HTML, and JSON not before it: browsers do where a person goes to an address. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const isNamed = rangesOf(accept).some(([type, weight]) => type === 'text/html' && weight > 0);
  return isNamed && !prefersJson(accept);
};

/** Whether an `Accept` header names Markdown, and HTML not before it. No browser names it. */
export function prefersMarkdown(accept: string | undefined): boolean {
  let html = 0;
  let markdown = 0;
  for (const [type, weight] of rangesOf(accept)) {
    if (type === 'text/markdown') markdown = Math.max(markdown, weight);
    else if (type === 'text/html') html = Math.max(html, weight);
  }
  return markdown > 0 && markdown >= html;
}

/** The types of an `Accept` header with their weights. */
function rangesOf(accept = '*/*'): [type: string, weight: number][] {
  return accept
    .toLowerCase()
    .split(',', 50)
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return [type, weightOf(parameters)];
    });
}

function weightOf(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return weight <= 1 ? weight : 0;
}
