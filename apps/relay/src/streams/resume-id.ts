import type { FastifyRequest } from 'fastify';
import { invalidFields } from '../problem.ts';

/** The query parameters that hold the id to resume from, for who comes back without the header. */
export const resumeNames = ['lastEventId', 'Last-Event-ID'] as const;

/**
 * The id of the last event that a caller has, from its header or else from its query; undefined where there is none. The
 * header wins, because an address is written once and a header at each return. Throws `invalid_request` for a query that
 * holds no single id.
 */
export function readResumeId({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): unknown {
  const inQuery = readResumeQuery(query);
  return headers['last-event-id'] ?? inQuery;
}

/** The id to resume from that stands in a query; undefined where none does. An empty one is none, as in the header. */
export function readResumeQuery(query: unknown): string | undefined {
  const given = query as Readonly<Record<string, unknown>>;
  const ids = new Set<unknown>();
  for (const name of resumeNames) if ((given[name] ?? '') !== '') ids.add(given[name]);
  const [id] = ids;
  if (ids.size === 0) return undefined;
  if (ids.size === 1 && typeof id === 'string') return id;
  const message = `must be one text: \`${resumeNames.join('` and `')}\` are two names of one parameter`;
  throw invalidFields([{ field: resumeNames[0], place: 'query', message }]);
}
