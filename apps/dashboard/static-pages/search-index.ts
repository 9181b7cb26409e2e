import { channels, endpointGroups, errors, operationGroups, operations } from '@tabletop-relay/contract';
import type {
  ChannelDefinition,
  Endpoint,
  EndpointGroup,
  ErrorEntry,
  Operation,
} from '@tabletop-relay/contract';
import { guideIndex } from './guide-pages.ts';

/** Something of the docs that the search finds. */
export interface Indexed {
  title: string;
  kind: 'Operation' | 'Endpoint' | 'Guide' | 'Error';
  /** Its page. */
  href: string;
  /** Further words that it is found by. */
  words?: string;
}

/** All that the docs have a page of: calls first, since who searches there writes a program. */
export const searchIndex = (): Indexed[] => [
  ...operations.map(operationEntry),
  ...Object.entries<ChannelDefinition>(channels).map(([name, channel]) => streamEntry(name, channel)),
  ...Object.values<EndpointGroup>(endpointGroups).flatMap(({ title, endpoints }) =>
    Object.entries(endpoints).map(([name, endpoint]) => endpointEntry(name, endpoint, title)),
  ),
  health,
  ...Object.entries<ErrorEntry>(errors).map(([code, { title, status }]): Indexed => ({
    title: `${title} (${code})`,
    kind: 'Error',
    href: `/errors/${code}`,
    words: String(status),
  })),
  ...guideIndex().map((guide): Indexed => ({ ...guide, kind: 'Guide' })),
];

/** It is no endpoint of the contract: probes ask it. */
const health: Indexed = {
  title: 'Tell whether this instance and what it needs are well',
  kind: 'Endpoint',
  href: '/docs/getHealth',
  words: 'getHealth GET /api/health status version ready',
};

const titleOf = (name: string) =>
  Object.values(operationGroups).find((group) => group.name === name)?.title ?? name;

function operationEntry(operation: Operation): Indexed {
  const { name, summary, description = '', group, method, path, scope, sdkName, parameters } = operation;
  return {
    title: summary,
    kind: 'Operation',
    href: `/docs/${name}`,
    words: [name, titleOf(group), method, path, scope, sdkName, ...Object.keys(parameters), description].join(
      ' ',
    ),
  };
}

function streamEntry(name: string, { summary, description = '', path, events }: ChannelDefinition): Indexed {
  return {
    title: summary,
    kind: 'Endpoint',
    href: `/docs/follow-${name}`,
    words: [`follow-${name}`, 'GET', path, 'events:subscribe', ...Object.keys(events), description].join(' '),
  };
}

function endpointEntry(name: string, endpoint: Endpoint, group: string): Indexed {
  const { summary, description = '', method, path, scope = '' } = endpoint;
  return {
    title: summary,
    kind: 'Endpoint',
    href: `/docs/${name}`,
    words: [name, group, method, path, scope, description].join(' '),
  };
}
