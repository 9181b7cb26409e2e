import { RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import {
  channels,
  endpointLimits,
  errors,
  operations,
  readParameters,
  streamEvents,
} from '../../../packages/contract/src/index.ts';
import type { Channel, Operation } from '../../../packages/contract/src/index.ts';
import { readerOf } from '../../../packages/contract/src/parameters/operation-reader.ts';
import { moduleFacts } from '../../../packages/contract/test/module-facts/index.ts';
import {
  theirCalls,
  theirOwnCalls,
  theirStreams,
} from '../../../packages/contract/test/other-relay/their-calls.ts';
import {
  theirEvents,
  theirForms,
  theirHabits,
  theirLimits,
  theirOtherWays,
  theirStatuses,
  theirStreamEvents,
} from '../../../packages/contract/test/other-relay/their-facts.ts';
import { inEndpoint, inOperation, inStream, operationOf, parametersOf } from './compare-calls.ts';
import { differ } from './difference.ts';
import type { Difference } from './difference.ts';

/** Everything in which our contract differs from the facts of the other relay. */
export function findDifferences(): Difference[] {
  return [
    ...Object.entries(theirOtherWays).map(([subject, there]) =>
      differ('ways in', subject, there, 'not here'),
    ),
    ...Object.entries(ourHabits).map(([subject, here]) =>
      differ('habits', subject, theirHabits[subject as keyof typeof theirHabits], here),
    ),
    ...Object.entries(theirCalls).flatMap(([call, facts]) => inOperation(call, facts)),
    ...Object.entries(theirOwnCalls).flatMap(([call, facts]) => inEndpoint(call, facts)),
    ...Object.entries(theirStreams).flatMap(([call, facts]) => inStream(call, facts)),
    ...formDifferences(),
    ...eventDifferences(),
    ...statusDifferences(),
    ...limitDifferences(),
  ];
}

/** What is true here of what programs of the other relay count on. */
const ourHabits: Record<keyof typeof theirHabits, string> = {
  keys: 'opens nothing',
  'the body of a failure': '`application/problem+json` with a `code` to decide by; `error` repeats the text',
  'a parameter that no call knows':
    'ignored and named in `x-ignored-parameters`; refused where the call would do more without it, or where its name is nearly that of one that is known',
  'a parameter in a place where it is not read': 'refused with the place where it belongs',
  'the master key': 'taken, and meant for emergencies',
  'the id of an event':
    'on every event: who comes back with the last one gets what it missed, or is told that it cannot',
  'the data of `connected`': '`clientId`, `channel`, `recovered`',
  'a slow listener': 'is told by `gap` how much it missed',
};

/** Values that the other relay reads and ours refuses, by type and place. */
function formDifferences(): Difference[] {
  return theirForms.flatMap(({ type, as, write }) =>
    (['query', 'body'] as const).flatMap((place) => {
      const refusing = Object.entries(theirCalls).flatMap(([call, { takes }]) => {
        const operation = operationOf(call);
        const parameters = parametersOf(takes).filter(
          (one) => one.type === type && one.places.includes(place),
        );
        const isRefused =
          operation && parameters.some(({ name }) => refusesForm(operation, name, place, write));
        return isRefused ? [`\`${call}\``] : [];
      });
      if (refusing.length === 0) return [];
      return [
        differ('forms', `${type} as ${as} in the ${place}`, 'read', `refused by ${refusing.join(', ')}`),
      ];
    }),
  );
}

function refusesForm(
  operation: Operation,
  name: string,
  place: 'query' | 'body',
  write: (value: unknown) => unknown,
): boolean {
  const { example } = operation;
  const values = example.parameters as Record<string, unknown>;
  const known = readerOf(operation).byName.get(name)?.name ?? name;
  if (values[known] === undefined) return false;
  const reading = readParameters(operation, { [place]: { [name]: write(values[known]) } });
  return !reading.ok && reading.errors.some(({ field }) => field.split('.')[0] === name);
}

function eventDifferences(): Difference[] {
  const ofRelay = theirStreamEvents.filter((name) => !(name in streamEvents));
  return [
    ...Object.entries(theirEvents).flatMap(([name, { prefix, payload }]) => {
      const { named, repeated } = channels[name as Channel];
      return [
        ...(named.prefix === prefix ? [] : [differ('events', name, prefix, named.prefix)]),
        ...(repeated === payload ? [] : [differ('events', `the payload of ${name}`, payload, repeated)]),
      ];
    }),
    ...ofRelay.map((name) =>
      differ('events', `the event \`${name}\``, 'says that too many streams are open', '429'),
    ),
    ...Object.keys(streamEvents)
      .filter((name) => !theirStreamEvents.some((one) => one === name))
      .map((name) => differ('events', `the event \`${name}\``, 'not there', 'on every stream')),
  ];
}

function statusDifferences(): Difference[] {
  return theirStatuses
    .filter(({ there, here }) => errors[here].status !== there)
    .map(({ when, there, here }) =>
      differ('failures', when, String(there), `${errors[here].status} \`${here}\``),
    );
}

const settings = RelayConfigSchema.properties as unknown as Record<string, { default?: unknown }>;

/** Our limits by the names of theirs. */
const ourLimits: Record<keyof typeof theirLimits, unknown> = {
  bodyBytes: settings['maxBodyBytes']?.default,
  fileBytes: operations.find(({ name }) => name === 'upload-file')?.bodyBytes?.maxBytes,
  callsPerMinuteAndKey: settings['callsPerMinute']?.default,
  streamsOfOneKindPerWorld: `${String(settings['streamsPerKey']?.default)} of a key, ${String(settings['streamsPerAccount']?.default)} of an account, of whatever kind`,
  keyRequests: endpointLimits.keyRequestCreate.rate,
  triesOfAPairingCode: endpointLimits.pair.rate,
  questionsWhetherAWorldIsActive: endpointLimits.clientActive.rate,
};

function limitDifferences(): Difference[] {
  const differing = Object.entries(theirLimits).filter(
    ([name, there]) => ourLimits[name as keyof typeof theirLimits] !== there,
  );
  const times = Object.entries(theirCalls).flatMap(([call]) => {
    const operation = operationOf(call);
    const thereS = moduleFacts[operation?.name ?? '']?.timeoutS;
    if (!operation || thereS === undefined || operation.timeoutMs >= thereS * 1_000) return [];
    return [differ('limits', `time for ${call}`, `${thereS} s`, `${operation.timeoutMs / 1_000} s`)];
  });
  return [
    ...differing.map(([name, there]) =>
      differ('limits', wordsOf(name), amount(there), amount(ourLimits[name as keyof typeof theirLimits])),
    ),
    ...times,
  ];
}

const wordsOf = (name: string) => name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

const amount = (value: unknown): string =>
  typeof value === 'number' && value >= 1024 * 1024 ? `${value / 1024 / 1024} MiB` : String(value);
