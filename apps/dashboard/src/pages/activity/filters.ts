import { fromCall } from './calls/call-entry.tsx';
import { api } from '../../request.ts';
import { fromAudit, fromConnection, fromRemoteRequest } from './entries.tsx';
import type { Entry } from './entries.tsx';
import { mergeFeeds } from './merge.ts';
import type { Feed } from './merge.ts';

export const kinds = {
  all: 'Everything',
  calls: 'Calls',
  connections: 'Connections',
  remote: 'Between worlds',
  account: 'Account and keys',
} as const;
export const times = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  all: 'All',
} as const;

/** The filters, as they stand in the address bar. */
export interface Filters {
  show: keyof typeof kinds;
  world: string;
  /** Of calls alone; a feed that is filtered by these has nothing else. */
  key: string;
  operation: string;
  outcome: string;
  /** `x-request-id` of one call. */
  request: string;
  time: keyof typeof times;
}

const isKey = <T extends object>(table: T, key: string): key is keyof T & string => Object.hasOwn(table, key);

export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search);
  const show = query.get('show') ?? '';
  const time = query.get('time') ?? '';
  return {
    show: isKey(kinds, show) ? show : 'all',
    world: query.get('world') ?? '',
    key: query.get('key') ?? '',
    operation: query.get('operation') ?? '',
    outcome: query.get('outcome') ?? '',
    request: query.get('request') ?? '',
    time: isKey(times, time) ? time : 'all',
  };
}

/** The address bar for these filters; what is not filtered by is left out. */
export function writeFilters(filters: Filters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== '' && value !== 'all') query.set(name, value as string);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const spans = { hour: 1 / 24, day: 1, week: 7, month: 30 } as const;

/** The feed that the filters ask for, from its newest entry. */
export function openFeed({ show, world, key, operation, outcome, request, time }: Filters): Feed<Entry> {
  const since = time === 'all' ? undefined : new Date(Date.now() - spans[time] * 86_400_000).toISOString();
  const query = { client: world || undefined, outcome: outcome || undefined, since, limit: 50 };
  const connections = {
    async read(cursor: string | undefined) {
      const page = await api.listConnectionLogs({ ...query, cursor });
      return { ...page, items: page.items.map(fromConnection) };
    },
  };
  const remote = {
    async read(cursor: string | undefined) {
      const page = await api.listRemoteRequestLogs({ ...query, cursor });
      return { ...page, items: page.items.map(fromRemoteRequest) };
    },
  };
  const account = {
    async read(cursor: string | undefined) {
      const page = await api.listAuditLog({ ...query, cursor });
      return { ...page, items: page.items.map(fromAudit) };
    },
  };
  const calls = {
    async read(cursor: string | undefined) {
      const ofCalls = {
        ...query,
        key: key || undefined,
        operation: operation || undefined,
        requestId: request || undefined,
      };
      const page = await api.listCalls({ ...ofCalls, cursor });
      return { ...page, items: page.items.map(fromCall) };
    },
  };
  if (key || operation || request) return mergeFeeds([calls]);
  const sources = { calls, connections, remote, account };
  return mergeFeeds(show === 'all' ? Object.values(sources) : [sources[show]]);
}
