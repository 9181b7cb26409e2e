import {
  headerAliases,
  pathAliases,
  channels,
  scopeAliases,
  wireNameOf,
} from '../../../packages/contract/src/index.ts';
import type { ChannelDefinition, Operation } from '../../../packages/contract/src/index.ts';
import { theirCalls, theirVersion } from '../../../packages/contract/test/other-relay/their-calls.ts';
import { code, codes, page, table } from '../markdown.ts';
import { operationOf } from './compare-calls.ts';
import type { Difference, Topic } from './difference.ts';
import { findDifferences } from './differences.ts';
import { reasonOf } from './reasons.ts';

const intro = `For programs and modules that were written for another relay of this kind. Change the address and the key: what
stands under "Understood as it is" works without a change to the program, and is answered exactly as our own name. It stands
in no other list, and new programs should not use it. What stands under "Differs on purpose" may need a change.

Modules are paired anew, by their button or by a code: see [for game masters](../game-masters.md). Nothing in their settings but
the address changes.

The two are compared call by call: parameters and their places, the forms of values, fields of answers, failures, events and
limits of the other one, as its version ${theirVersion} has them. What is not listed here is no different.`;

/** `docs/reference/coming-from-another-relay.md`. */
export function comingOverPage(): string {
  const differences = findDifferences();
  const [toCome, here] = [true, false].map((isYetToCome) =>
    differences.filter((one) => (reasonOf(one)?.isYetToCome ?? false) === isYetToCome),
  ) as [Difference[], Difference[]];
  return page(
    'Coming from another relay',
    '`packages/contract/test/other-relay`, `packages/contract/src/aliases.ts` and the operations',
    intro,
    '## Understood as it is',
    table(
      ['there', 'here'],
      [
        ...pathAliases.map(([theirs, ours]) => [code(`${theirs}*`), code(`${ours}*`)]),
        ...headerAliases.map(([theirs, ours]) => [`header ${code(theirs)}`, `header ${code(ours)}`]),
        ...Object.entries(scopeAliases).map(([alias, scopes]) => [`scope ${code(alias)}`, codes(scopes)]),
      ],
    ),
    'A scope is replaced before anybody approves it: who reads the request sees the scopes of this relay.',
    table(['call', 'parameter there', 'parameter here'], [...parameterRows(), ...filterRows()]),
    'A module that asks another world (`remote-request`) may use both names of a parameter too. Its actions have the same names there and here.',
    '## Not here yet',
    tableOf(toCome),
    '## Differs on purpose',
    ...topics.flatMap(([topic, title, says]) => {
      const ofTopic = here.filter((one) => one.topic === topic);
      return ofTopic.length === 0 ? [] : [`### ${title}`, says, tableOf(ofTopic)];
    }),
  );
}

const topics: readonly [Topic, string, string][] = [
  ['habits', 'Everywhere', 'See [errors](errors.md) and [integrations](../integrations.md).'],
  ['ways in', 'Not here', ''],
  [
    'scopes',
    'Calls that need another scope',
    'Give the key the scope of this relay as well, or ask for it in the key request.',
  ],
  ['parameters', 'Parameters', ''],
  ['forms', 'Forms of values', ''],
  ['answers', 'Answers', ''],
  ['failures', 'Failures', 'Each has a body; see [errors](errors.md).'],
  ['events', 'Events', 'See [events](events.md).'],
  [
    'limits',
    'Limits',
    'The time for a world’s answer is at least that of the other relay at every call. `RateLimit` headers tell of what is counted: see [configuration](configuration.md).',
  ],
];

const tableOf = (differences: readonly Difference[]): string =>
  table(
    ['', 'there', 'here', 'why'],
    differences.map((one) => [subjectOf(one), one.there, one.here, reasonOf(one)?.why ?? '']),
  );

/** The subject of a difference as it stands on the page: what begins as a call does is code. */
export const subjectOf = ({ subject }: Difference): string =>
  subject.replace(/^([A-Z]+ )?\/\S*/, (call) => code(call));

/** The operations that the other relay has too. */
const shared = Object.keys(theirCalls).flatMap((call) => operationOf(call) ?? []);

const callOf = ({ method, path }: Operation) => code(`${method} ${path}`);

function parameterRows(): string[][] {
  return shared.flatMap((operation) =>
    Object.entries(operation.parameters).flatMap(([name, schema]) => {
      const wireName = wireNameOf(name, schema);
      return wireName === name ? [] : [[callOf(operation), code(wireName), code(name)]];
    }),
  );
}

function filterRows(): string[][] {
  return Object.values<ChannelDefinition>(channels).flatMap(({ path, filters }) =>
    Object.entries(filters).flatMap(([name, { alias }]) =>
      alias === undefined ? [] : [[code(`GET ${path}`), code(alias), code(name)]],
    ),
  );
}
