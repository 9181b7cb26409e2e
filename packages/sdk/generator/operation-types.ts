import { listOperations, operationGroups, wireNameOf } from '@tabletop-relay/contract';
import type { Operation, OperationGroup } from '@tabletop-relay/contract';
import { interfaceText, objectText, typeText, typesFile } from './type-text.ts';
import type { Field, TypedSchema } from './type-text.ts';

const folder = 'packages/contract/src/types/operations';

/** The types of all operations: a file for each group, and one that has them all. */
export function operationTypes(): Record<string, string> {
  const groups = Object.values<OperationGroup>(operationGroups);
  const imports = groups.map(({ name }) => `import type { ${typeName(name)} } from './${name}.ts';`);
  const all = `/** What each operation takes and answers, by its name on the wire. */
export interface OperationTypes
  extends ${groups.map(({ name }) => typeName(name)).join(',\n    ')} {}`;
  const wire = `/** The parameters of an operation by the names that a module reads. */
export type WireParameters<N extends keyof OperationTypes> = OperationTypes[N] extends { wire: infer W }
  ? W
  : OperationTypes[N]['parameters'];`;
  return {
    [`${folder}/index.ts`]: typesFile('packages/contract/src/operations', imports.join('\n'), all, wire),
    ...Object.fromEntries(groups.map((group) => [`${folder}/${group.name}.ts`, groupTypes(group)])),
  };
}

/** The types of one group. */
export function groupTypes(group: OperationGroup): string {
  const fields = listOperations(group).map((operation) => ({
    name: operation.name,
    type: objectText(partsOf(operation)),
    description: `${operation.summary}.`,
  }));
  const says = `What the operations of the group \`${group.name}\` take and answer; \`wire\`: as a module reads it.`;
  return typesFile('packages/contract/src/operations', interfaceText(typeName(group.name), says, fields));
}

/** `wire` stands only where a module reads other names than a caller writes. */
function partsOf({ parameters, result }: Operation): Field[] {
  const asWritten = objectText(parameterFields(parameters, (name) => name));
  const asRead = objectText(parameterFields(parameters, wireNameOf));
  return [
    { name: 'parameters', type: asWritten },
    ...(asRead === asWritten ? [] : [{ name: 'wire', type: asRead }]),
    { name: 'result', type: typeText(result) },
  ];
}

function parameterFields(
  parameters: Operation['parameters'],
  nameOf: (name: string, schema: Operation['parameters'][string]) => string,
): Field[] {
  return Object.entries(parameters).map(([name, schema]) => ({
    name: nameOf(name, schema),
    type: typeText(schema as TypedSchema),
    isOptional: '~optional' in schema,
    description: (schema as TypedSchema).description,
  }));
}

const typeName = (group: string) => `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`;
