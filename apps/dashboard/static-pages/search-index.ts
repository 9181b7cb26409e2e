import { endpointGroups, errors, operationGroups, operations } from '@tabletop-relay/contract';
import type { Endpoint, EndpointGroup, ErrorEntry, Operation } from '@tabletop-relay/contract';
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
  ...Object.values<EndpointGroup>(endpointGroups).flatMap(({ title, endpoints }) =>
    Object.entries(endpoints).map(([name, endpoint]) => endpointEntry(name, endpoint, title)),
  ),
  ...Object.entries<ErrorEntry>(errors).map(([code, { title, status }]): Indexed => ({
    title: `${title} (${code})`,
    kind: 'Error',
    href: `/errors/${code}`,
    words: String(status),
  })),
  ...guideIndex().map((guide): Indexed => ({ ...guide, kind: 'Guide' })),
];

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

function endpointEntry(name: string, endpoint: Endpoint, group: string): Indexed {
  const { summary, description = '', method, path, scope = '' } = endpoint;
  return {
    title: summary,
    kind: 'Endpoint',
    href: `/docs/${name}`,
    words: [name, group, method, path, scope, description].join(' '),
  };
}
