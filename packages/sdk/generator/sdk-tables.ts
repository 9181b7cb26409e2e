import {
  callFormOf,
  channels,
  defaultTimeoutMs,
  listOperations,
  operationGroups,
} from '@tabletop-relay/contract';
import type { ChannelDefinition, Endpoint, Operation, OperationGroup } from '@tabletop-relay/contract';
import type { OperationRow } from '../src/index.ts';
import { callableEndpoints, givenFields } from './endpoint-types.ts';
import { comment, indent, literal, propertyName, typesFile } from './type-text.ts';

/** What the SDKs know of the contract: tables instead of schemas, and the types of their methods. */
export function sdkTables(): Record<string, string> {
  const groups = Object.values<OperationGroup>(operationGroups);
  return {
    'packages/sdk/src/generated/operation-table.ts': operationTable(groups),
    'packages/sdk/src/generated/operation-methods.ts': operationMethods(groups),
    'packages/sdk/src/generated/account-methods.ts': accountMethods(),
    'packages/sdk/src/generated/channel-paths.ts': channelPaths(),
    'packages/module-sdk/src/connection/channel-frames.ts': channelFrames(),
  };
}

/** The operations of a group by the SDK's methods. */
export const rowsOf = (group: OperationGroup): Record<string, OperationRow> =>
  Object.fromEntries(listOperations(group).map((operation) => [operation.sdkName, rowOf(operation)]));

/** How the SDK asks for one operation; nothing in it that follows from the method. */
export function rowOf(operation: Operation): OperationRow {
  const { method, path, ...places } = callFormOf(operation);
  const { kind, timeoutMs, resultBytes } = operation;
  return {
    call: `${method} ${path}` as OperationRow['call'],
    ...places,
    ...(timeoutMs === defaultTimeoutMs ? {} : { timeoutMs }),
    ...(kind === 'query' && method !== 'GET' ? { isRepeatable: true } : {}),
    ...(resultBytes ? { answersFile: true } : {}),
  };
}

/** The methods of one group, as an interface would have them. */
export function methodsOf(group: OperationGroup): string {
  const methods = listOperations(group).map((operation) => {
    const { name, parameters, bodyBytes, resultBytes } = operation;
    const types = `OperationTypes['${name}']`;
    return method({
      name: operation.sdkName,
      says: `${operation.summary}. ${operation.description ?? ''}`.trim() + ` Scope \`${operation.scope}\`.`,
      input: bodyBytes ? withBytes(`${types}['parameters']`, bodyBytes.parameter) : `${types}['parameters']`,
      isNeeded: Object.values(parameters).some((schema) => !('~optional' in schema)),
      options: 'CallOptions',
      answer: resultBytes ? 'RelayFile' : `Answer<'${name}'>`,
    });
  });
  return methods.join('\n');
}

/** A parameter that may be the raw body is given as bytes, or as the text that the module reads. */
const withBytes = (type: string, name: string) =>
  `Omit<${type}, '${name}'> & { ${name}: ${type}['${name}'] | Uint8Array | Blob }`;

function operationTable(groups: readonly OperationGroup[]): string {
  const rows = groups.map((group) => {
    const lines = Object.entries(rowsOf(group)).map(
      ([name, row]) => `${propertyName(name)}: ${rowText(row)},`,
    );
    return `${group.name}: {\n${indent(lines.join('\n'))}\n},`;
  });
  return typesFile(
    'packages/contract/src/operations',
    `import type { OperationTable } from '../operation-table.ts';`,
    `/** How to ask for each operation, by group and method. */
export const operationTable: OperationTable = {\n${indent(rows.join('\n'))}\n};`,
  );
}

const rowText = (row: OperationRow) =>
  `{ ${Object.entries(row)
    .map(
      ([name, value]) =>
        `${name}: ${Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : literal(value)}`,
    )
    .join(', ')} }`;

function operationMethods(groups: readonly OperationGroup[]): string {
  const interfaces = groups.map(
    (group) =>
      `${comment(`${group.title}.`)}\nexport interface ${interfaceName(group)} {\n${indent(methodsOf(group))}\n}`,
  );
  const all = groups.map((group) => `${group.name}: ${interfaceName(group)};`);
  const names = ['Answer', 'CallOptions', 'RelayFile'].filter((name) =>
    interfaces.some((text) => new RegExp(String.raw`\b${name}\b`).test(text)),
  );
  return typesFile(
    'packages/contract/src/operations',
    `import type { OperationTypes } from '@tabletop-relay/contract/types';
import type { ${names.join(', ')} } from '../call.ts';`,
    ...interfaces,
    `/** The operations of a relay by their groups. */
export interface OperationMethods {\n${indent(all.join('\n'))}\n}`,
  );
}

function accountMethods(): string {
  const methods = callableEndpoints().map(([name, endpoint]) => endpointMethod(name, endpoint));
  return typesFile(
    'packages/contract/src/endpoints',
    `import type { EndpointTypes } from '@tabletop-relay/contract/types';
import type { EndpointCallOptions } from '../call.ts';`,
    `/** A method for each endpoint of the account API; a failure is a \`RelayError\`. */
export interface AccountMethods {\n${indent(methods.join('\n'))}\n}`,
  );
}

const endpointMethod = (name: string, endpoint: Endpoint) =>
  method({
    name,
    says: `${endpoint.summary}. ${endpoint.description ?? ''}`.trim(),
    parameter: 'fields',
    input: `EndpointTypes['${name}']['fields']`,
    isNeeded: givenFields(endpoint).some(({ isOptional }) => !isOptional),
    options: 'EndpointCallOptions',
    answer: `EndpointTypes['${name}']['answer']`,
  });

interface MethodText {
  name: string;
  says: string;
  parameter?: string;
  input: string;
  isNeeded: boolean;
  options: string;
  answer: string;
}

function method({
  name,
  says,
  parameter = 'parameters',
  input,
  isNeeded,
  options,
  answer,
}: MethodText): string {
  return `${comment(says)}
${propertyName(name)}(${parameter}${isNeeded ? '' : '?'}: ${input}, options?: ${options}): Promise<${answer}>;`;
}

function channelPaths(): string {
  const rows = Object.entries<ChannelDefinition>(channels).map(([name, { path }]) => `${name}: '${path}',`);
  return typesFile(
    'packages/contract/src/events',
    `import type { Channel } from '@tabletop-relay/contract/types';`,
    `/** Where each channel is followed. */
export const channelPaths: Record<Channel, string> = {\n${indent(rows.join('\n'))}\n};`,
  );
}

function channelFrames(): string {
  const rows = Object.entries<ChannelDefinition>(channels).map(
    ([name, { frame, wire }]) => `${name}: { frame: '${frame}', wire: '${wire}' },`,
  );
  return typesFile(
    'packages/contract/src/events',
    `import type { Channel } from '@tabletop-relay/contract/types';`,
    `/** The type of the frames that carry each channel's events, and its name in \`event-subscription-update\`. */
export const channelFrames: Record<Channel, { frame: string; wire: string }> = {\n${indent(rows.join('\n'))}\n};

export const channelNames = Object.keys(channelFrames) as Channel[];`,
  );
}

const interfaceName = ({ name }: OperationGroup) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Methods`;
