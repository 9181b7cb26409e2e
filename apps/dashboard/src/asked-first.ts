declare global {
  interface Window {
    /** By path: what `first.js` asked for while the code of the page came. */
    askedFirst?: Map<string, Promise<Response>>;
  }
}

/** Answers to requests of the document’s first script. They serve the first view of a page and nothing later. */
const freshForMs = 30_000;

/** Tests of parts that ask for nothing run without a browser. */
const openedAt = globalThis.location?.href;

/**
 * The answer to a GET that was asked for with the document, for the first who wants it. Whatever is changed may have changed them all, so
 * that then none is taken any more.
 */
export function takeAskedFirst(method: string | undefined, path: unknown): Promise<Response> | undefined {
  const { askedFirst } = window;
  if (method !== 'GET' || location.href !== openedAt || performance.now() > freshForMs) {
    delete window.askedFirst;
    return undefined;
  }
  if (typeof path !== 'string') return undefined;
  const answer = askedFirst?.get(path);
  askedFirst?.delete(path);
  return answer;
}
