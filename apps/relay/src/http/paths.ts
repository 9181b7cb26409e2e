import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Path {
  parts: readonly string[];
  methods: Set<string>;
  isOpen: boolean;
}

/** What the addresses of this server take, whatever the method of a request is. */
export interface Paths {
  /** The methods of an address, sorted; empty where there is no such address. */
  methodsOf(path: string): string[];
  /** Whether pages of other origins may read what this address answers: it is open to them, or no such address exists. */
  isOpen(path: string): boolean;
}

/** Collects the addresses of all routes that are added later. */
export function collectPaths(app: FastifyInstance): Paths {
  const known = new Map<string, Path>();
  app.addHook('onRoute', ({ url, method, config }) => {
    // A wildcard route answers by itself what it does not have.
    if (url.includes('*')) return;
    const path = known.get(url) ?? { parts: url.split('/'), methods: new Set(), isOpen: false };
    known.set(url, path);
    if (config?.anyOrigin) path.isOpen = true;
    for (const one of [method].flat()) path.methods.add(one);
    // Fastify tells of the second form of an address, with or without a slash, under HEAD alone.
    if (path.methods.has('HEAD')) path.methods.add('GET');
  });

  function find(address: string): Path | undefined {
    const given = address.split('/');
    for (const path of known.values()) if (matches(path.parts, given)) return path;
    return undefined;
  }
  return {
    methodsOf: (address) =>
      [...(find(address)?.methods ?? [])].filter((method) => method !== 'OPTIONS').sort(),
    isOpen: (address) => find(address)?.isOpen ?? true,
  };
}

function matches(parts: readonly string[], given: readonly string[]): boolean {
  return (
    parts.length === given.length &&
    parts.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}

/** The path of a request as it was asked for, cut where it is long. */
export const pathOf = (request: FastifyRequest): string => (request.url.split('?')[0] ?? '').slice(0, 200);
