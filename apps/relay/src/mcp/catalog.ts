import {
  argumentsOf,
  channelNames,
  describeOperation,
  needsKeyByHand,
  onlyArgument,
  tableOperations,
  toolNameOf,
  toolOf,
  worldArgument,
} from '@tabletop-relay/contract';
import type { AssistantTool, FixedArguments, Operation, OwnTool } from '@tabletop-relay/contract';
import { authorize } from '../keys/authenticate.ts';
import type { Principal } from '../keys/authenticate.ts';
import { leaves, leavesEvents, leftOut } from './narrowing.ts';
import type { Narrowing } from './narrowing.ts';

/** What one caller is offered. */
export interface Offer {
  principal: Principal;
  narrowing: Narrowing;
}

/** The operations as assistants find, list and name them. */
export interface Catalog {
  /** By its own name or its tool's name. */
  find(name: string): Operation | undefined;
  /** Throws the problem to tell where the key or the address does not leave the operation. */
  check(offer: Offer, operation: Operation): void;
  /** Whether `check` passes. */
  offers(offer: Offer, operation: Operation): boolean;
  /** The groups of which the caller is offered something. */
  groups(offer: Offer): string[];
  /** Those of the caller that fit these words best, 10 at most. */
  search(offer: Offer, words: string): Operation[];
  /** In a steady order, so that programs can keep what they made of it. */
  tools(offer: Offer): AssistantTool[];
  /** The arguments of an operation for this caller. */
  argumentsOf(offer: Offer, operation: Operation): object;
}

const table: ReadonlySet<string> = new Set(tableOperations);

export function createCatalog(operations: readonly Operation[]): Catalog {
  const byName = new Map<string, Operation>();
  for (const operation of operations) {
    byName.set(operation.name, operation);
    byName.set(toolNameOf(operation.name), operation);
  }
  const tools = new Map<string, AssistantTool>();

  function toolFor(operation: Operation, fixed: FixedArguments): AssistantTool {
    const key = `${operation.name} ${fixed.world} ${fixed.user}`;
    const known = tools.get(key) ?? toolOf(operation, fixed);
    tools.set(key, known);
    return known;
  }

  const texts = new Map(operations.map((operation) => [operation, textOf(operation)]));

  return {
    find: (name) => byName.get(name),
    check(offer, operation) {
      authorize(offer.principal, operation.scope);
      if (!leaves(offer.narrowing, operation)) throw leftOut();
    },
    offers: isOffered,
    groups: (offer) => [
      ...new Set(operations.filter((operation) => isOffered(offer, operation)).map(({ group }) => group)),
    ],
    search(offer, words) {
      const wanted = words
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word.length > 1)
        .slice(0, 20);
      const rated = [...texts]
        .filter(([operation]) => isOffered(offer, operation))
        .map(([operation, text]) => ({ operation, rate: rateOf(text, wanted) }))
        .filter(({ rate }) => rate > 0 || wanted.length === 0);
      return rated
        .toSorted((one, other) => other.rate - one.rate)
        .slice(0, 10)
        .map(({ operation }) => operation);
    },
    tools(offer) {
      const fixed = fixedBy(offer);
      const direct = operations.filter(
        (operation) =>
          isOffered(offer, operation) &&
          !needsKeyByHand(operation.scope) &&
          isListed(offer.narrowing, operation),
      );
      return [
        ...ownToolsFor(offer, fixed),
        ...direct
          .map((operation) => toolFor(operation, fixed))
          .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      ];
    },
    argumentsOf: (offer, operation) => argumentsOf(operation, { ...fixedBy(offer), world: true }),
  };
}

const isListed = ({ tools }: Narrowing, { name }: Operation): boolean => tools !== 'table' || table.has(name);

/** Whether the key and the address leave an operation. */
const isOffered = ({ principal, narrowing }: Offer, operation: Operation): boolean =>
  principal.scopes.has(operation.scope) && leaves(narrowing, operation);

/** A caller of one world is not asked for it, and one that is bound to a user not for that. */
const fixedBy = ({ principal }: Offer): FixedArguments => ({
  world: principal.clientIds?.size === 1,
  user: principal.actingUserIds !== null,
});

interface Text {
  name: string;
  summary: string;
  more: string;
}

const textOf = (operation: Operation): Text => ({
  name: operation.name.toLowerCase(),
  summary: operation.summary.toLowerCase(),
  more: [operation.group, operation.description ?? '', ...Object.keys(operation.parameters)]
    .join(' ')
    .toLowerCase(),
});

/** A word counts most in the name. Without its last letter it is found in the plural too. */
function rateOf({ name, summary, more }: Text, words: readonly string[]): number {
  let rate = 0;
  for (const word of words) {
    const stem = word.length > 4 ? word.replace(/(?:ies|es|s|y)$/, '') : word;
    if (name.includes(stem)) rate += 4;
    if (summary.includes(stem)) rate += 2;
    if (more.includes(stem)) rate += 1;
  }
  return rate;
}

/** What `find_operations` answers of one operation. */
export const entryOf = (catalog: Catalog, offer: Offer, operation: Operation): object => ({
  name: operation.name,
  what: describeOperation(operation),
  kind: operation.kind,
  ...(operation.effect ? { effect: operation.effect } : {}),
  arguments: catalog.argumentsOf(offer, operation),
});

function ownToolsFor({ principal, narrowing }: Offer, fixed: FixedArguments): AssistantTool[] {
  const world = fixed.world ? {} : { world: worldArgument };
  const mayListen = principal.scopes.has('events:subscribe') && leavesEvents(narrowing);
  return [
    own('worlds', 'See which worlds there are', {
      description:
        'Lists the worlds that this key reaches, with their ids, whether they are online, and what may be done in them. Begin here.',
      properties: {},
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
    own('find_operations', 'Find an operation', {
      description:
        'Finds operations that are no tools of their own, by words for what is to be done. Answers up to 10 with their arguments, for `call_operation`.',
      properties: {
        words: { type: 'string', description: 'In English, such as "long rest" or "play music".' },
      },
      required: ['words'],
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
    own('call_operation', 'Call an operation', {
      description:
        'Calls any operation that `find_operations` names. What it does to the world depends on the operation: its `effect` says so.',
      properties: {
        name: { type: 'string' },
        ...world,
        arguments: { type: 'object', description: 'As `find_operations` describes them.' },
        only: onlyArgument,
      },
      required: ['name'],
      annotations: narrowing.isReadOnly ? { readOnlyHint: true } : { destructiveHint: true },
    }),
    ...(mayListen
      ? [
          own('recent_events', 'See what happened lately', {
            description:
              'Answers the events of a channel of the last minutes, from `after` on, and waits for the next where there are none. The first call begins the record: what happened before may be unknown.',
            properties: {
              ...world,
              channel: { enum: channelNames },
              after: { type: 'string', description: 'The `after` of the answer before.' },
              wait: { type: 'integer', minimum: 0, maximum: 25, description: 'Seconds.' },
              filters: { type: 'object', description: 'Those of the channel’s stream.' },
            },
            required: ['channel'],
            annotations: { readOnlyHint: true },
          }),
        ]
      : []),
  ];
}

function own(
  name: OwnTool,
  title: string,
  {
    description,
    properties,
    required,
    annotations,
  }: Pick<AssistantTool, 'description' | 'annotations'> &
    Pick<AssistantTool['inputSchema'], 'properties' | 'required'>,
): AssistantTool {
  const inputSchema = { type: 'object' as const, properties, ...(required ? { required } : {}) };
  return { name, title, description, inputSchema, annotations };
}
