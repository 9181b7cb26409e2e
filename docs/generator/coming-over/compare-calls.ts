import {
  channels,
  endpoints,
  expandPath,
  expandScopes,
  headerAliases,
  operations,
  readParameters,
} from '../../../packages/contract/src/index.ts';
import type { ChannelDefinition, Endpoint, Operation } from '../../../packages/contract/src/index.ts';
import { readerOf } from '../../../packages/contract/src/parameters/operation-reader.ts';
import { fieldsOf, namedFields } from '../../../packages/contract/test/module-facts/compare-fields.ts';
import { moduleFacts } from '../../../packages/contract/test/module-facts/index.ts';
import { answersOf } from '../../../packages/contract/test/module-facts/module-fact.ts';
import { onEveryCall } from '../../../packages/contract/test/other-relay/their-calls.ts';
import type { TheirCall } from '../../../packages/contract/test/other-relay/their-calls.ts';
import { theirFiles } from '../../../packages/contract/test/other-relay/their-facts.ts';
import { differ } from './difference.ts';
import type { Difference } from './difference.ts';

interface Parameter {
  name: string;
  type: string;
  places: string[];
  isDemanded: boolean;
}

export function parametersOf(takes = ''): Parameter[] {
  return takes.split(' ').flatMap((text) => {
    const [, name = '', demanded = '', type = '', places = ''] =
      /^([\w-]+)(!?):(\w+)@(\S+)$/.exec(text) ?? [];
    return name === '' ? [] : [{ name, type, places: places.split(','), isDemanded: demanded !== '' }];
  });
}

/** The operation that a call of the other relay reaches here. */
export function operationOf(call: string): Operation | undefined {
  const [method, path = ''] = call.split(' ');
  return operations.find((one) => one.method === method && one.path === expandPath(path));
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

export function inOperation(call: string, { scope = '', takes = '' }: TheirCall): Difference[] {
  const operation = operationOf(call);
  if (!operation) return [differ('ways in', call, 'a call', 'not here')];
  const here = nameOf(operation);
  const isGranted = expandScopes([scope]).includes(operation.scope);
  const given = parametersOf(`${takes} ${onEveryCall}`);
  return [
    ...(isGranted ? [] : [differ('scopes', here, `\`${scope}\``, `\`${operation.scope}\``)]),
    ...given.flatMap((parameter) => inParameter(operation, parameter)),
    ...demandedBeside(operation, given),
    ...inFile(call, operation),
    ...unnamedFields(operation).map((field) =>
      differ('answers', `${here} ${field}`, 'a field of the answer', 'passed on, and named nowhere'),
    ),
  ];
}

function inFile(call: string, operation: Operation): Difference[] {
  const isFile = theirFiles.some((one) => one === call);
  const [there, here] = [isFile, answersFile(operation)].map((is) => (is ? 'the bytes' : 'the world’s JSON'));
  return there === here ? [] : [differ('answers', nameOf(operation), there ?? '', here ?? '')];
}

const answersFile = ({ resultBytes }: Operation): boolean =>
  resultBytes !== undefined && !resultBytes.onlyFor;

function inParameter(operation: Operation, { name, places }: Parameter): Difference[] {
  const subject = `${nameOf(operation)} ${name}`;
  const field = readerOf(operation).byName.get(name);
  if (!field) return [differ('parameters', subject, places.join(' or '), 'unknown: ignored and named')];
  const unread = places.filter((place) => !field.places.some((one) => one === place));
  if (unread.length === 0) return [];
  return [differ('parameters', subject, places.join(' or '), field.places.join(' or '))];
}

/** Parameters that are demanded here and not there. What one of several others may stand for is demanded by neither. */
function demandedBeside(operation: Operation, given: readonly Parameter[]): Difference[] {
  const empty = readParameters(operation, {});
  const missing = new Set(
    empty.ok
      ? []
      : empty.errors.flatMap(({ field, message }) => (message.startsWith('is required') ? field : [])),
  );
  return given
    .filter(({ name, isDemanded }) => !isDemanded && missing.has(name))
    .map(({ name }) =>
      differ('parameters', `${nameOf(operation)} without ${name}`, 'is sent to the world', 'is refused'),
    );
}

/** The fields that today's module answers and our reference does not name. */
function unnamedFields({ name, result }: Operation): string[] {
  const fact = moduleFacts[name];
  if (!fact) return [];
  const { named, open } = namedFields(result);
  const given = new Set(answersOf(fact).flatMap(({ answer }) => fieldsOf(answer)));
  return [...given].filter((path) => !named.has(path) && ![...open].some((at) => path.startsWith(`${at}.`)));
}

export function inEndpoint(call: string, { scope, takes, answers = '' }: TheirCall): Difference[] {
  const [method, path] = call.split(' ');
  const endpoint = Object.values<Endpoint>(endpoints).find(
    (one) => one.method === method && one.path === path,
  );
  if (!endpoint) return [differ('ways in', call, 'a call', 'not here')];
  const isGranted = scope === undefined || scope === endpoint.scope;
  const { named } = namedFields(endpoint.answer);
  return [
    ...(isGranted ? [] : [differ('scopes', call, `\`${scope}\``, `\`${endpoint.scope}\``)]),
    ...parametersOf(takes).flatMap(({ name, places: [place = ''] }) =>
      takesParameter(endpoint, name, place)
        ? []
        : [differ('parameters', `${call} ${name}`, place, 'unknown: refused')],
    ),
    ...answers
      .split(' ')
      .filter((field) => !named.has(field))
      .map((field) => differ('answers', `${call} ${field}`, 'a field of the answer', 'not there')),
  ];
}

function takesParameter({ path, headers, query, body }: Endpoint, name: string, place: string): boolean {
  if (place === 'path') return path.includes(`:${name}`);
  if (place === 'query') return name in (query?.properties ?? {});
  if (place === 'body') return name in (body?.properties ?? {});
  const alias = headerAliases.find(([theirs]) => theirs === name)?.[1];
  return (alias ?? name) in (headers?.properties ?? {});
}

/** The filters of these four are known on each of them, as there: one of another stream stands for nothing. */
const shared = [channels.hooks, channels.combat, channels.actor, channels.scene].flatMap(({ filters }) =>
  Object.keys(filters),
);

export function inStream(call: string, { scope, takes }: TheirCall): Difference[] {
  const [, path] = call.split(' ');
  const channel = Object.values<ChannelDefinition>(channels).find((one) => one.path === path);
  if (!channel) return [differ('ways in', call, 'a stream', 'not here')];
  const own = Object.entries(channel.filters).flatMap(([name, { alias }]) => [name, alias ?? name]);
  const known = ['clientId', ...own, ...shared];
  return [
    ...(scope === 'events:subscribe' ? [] : [differ('scopes', call, `\`${scope}\``, '`events:subscribe`')]),
    ...parametersOf(takes)
      .filter(({ name }) => !known.includes(name))
      .map(({ name }) => differ('parameters', `${call} ${name}`, 'query', 'unknown: ignored and named')),
  ];
}
