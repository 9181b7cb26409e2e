import {
  alternatives,
  callFormOf,
  listOperations,
  operationGroups,
  operationRequest,
  placesOf,
  refusesUnknown,
  wireNameOf,
} from '../../../packages/contract/src/index.ts';
import type { Operation, OperationGroup } from '../../../packages/contract/src/index.ts';
import { code, codes, fieldRows, page, table, typeOf } from '../markdown.ts';
import type { SchemaText } from '../markdown.ts';

const intro = `Every call needs the header \`x-api-key\`, and takes \`clientId\` (the world; query, body or the header
\`x-client-id\`) and \`userId\` (the tabletop user to act as; without it the call has GM-level access). A parameter that
may stand in body and query counts from the body where both have it, but two users or two worlds that differ are refused. An unknown
parameter is ignored and named in the answer’s \`x-ignored-parameters\`, or refused: see [integrations](../integrations.md#parameters).
The body of a GET is read too, where a proxy passes it on; in the query its parameters always arrive.

Every answer is JSON with \`type\` (\`<operation>-result\`) and \`requestId\` (\`<operation>_<epoch ms>\`) before the fields
below; where the result carries a file, HTTP answers its bytes unless \`accept\` asks for JSON. Fields that the world adds pass through, and what it leaves out is missing: the relay checks which call an answer
is for, not its fields. Each example is answered by the demo world in a test (\`apps/demo-world/src/world/world.test.ts\`).`;

/** `docs/reference/operations.md`. */
export function operationsPage(): string {
  const groups = Object.values<OperationGroup>(operationGroups);
  return page('Operations', '`packages/contract/src/operations`', intro, ...groups.map(groupText));
}

/** The section of one group. */
export function groupText(group: OperationGroup): string {
  const operations = listOperations(group);
  const overview = operations.map((operation) => [
    `[${addressOf(operation)}](#${operation.name})`,
    operation.summary,
    code(operation.scope),
  ]);
  return [
    `## ${group.title}`,
    table(['call', 'does', 'scope'], overview),
    ...operations.map((operation) => operationText(group, operation)),
  ].join('\n\n');
}

const effects = {
  reads: 'reads',
  adds: 'adds to the world',
  changes: 'changes the world',
  destroys: 'may destroy what is there',
};

function operationText(group: OperationGroup, operation: Operation): string {
  const facts = [
    `\`${addressOf(operation)}\``,
    `scope ${code(operation.scope)}`,
    effects[operation.effect ?? 'reads'],
    `time-out ${operation.timeoutMs / 1000} s`,
    `SDK \`relay.${group.name}.${operation.sdkName}\``,
  ];
  const parameters = parameterRows(operation);
  const results = fieldRows(operation.result);
  return [
    `### ${operation.name}`,
    `${operation.summary}. ${operation.description ?? ''}`.trim(),
    facts.join(' · '),
    parameters.length > 0
      ? table(['parameter', 'place', 'type', 'meaning'], parameters)
      : 'No parameters of its own.',
    ...rulesOf(operation),
    ...bytesOf(operation),
    results.length > 0 ? table(['result', 'type', 'meaning'], results) : '',
    operation.reasons ? `The world may refuse with ${codes(operation.reasons)}.` : '',
    exampleText(operation),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function parameterRows(operation: Operation): string[][] {
  const schemas = Object.entries(operation.parameters as Record<string, SchemaText>);
  return schemas.map(([name, schema]) => {
    const wireName = wireNameOf(name, schema);
    const isOptional = '~optional' in schema;
    const notes = [
      isOptional ? '' : 'Required.',
      schema.description ?? '',
      schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`,
      wireName === name ? '' : `Also accepted as ${code(wireName)}, its name on the wire.`,
    ];
    return [
      code(name),
      placesOf(operation, name).join(', '),
      typeOf(schema),
      notes.filter(Boolean).join(' '),
    ];
  });
}

function rulesOf(operation: Operation): string[] {
  const { identifiedBy = [], prefers = [], needsOneOf } = operation;
  return [
    ...(refusesUnknown(operation)
      ? ['An unknown parameter is refused: the call would do more without it.']
      : []),
    ...identifiedBy.map(
      (names) => `One of ${alternatives(names)} is needed; of several the first of this list counts.`,
    ),
    ...prefers.map((names) => `Of ${codes(names)} the first that is given counts.`),
    ...(needsOneOf ? [`At least one of ${codes(needsOneOf)} is needed.`] : []),
  ];
}

/** The sentences about files that an operation takes or answers. */
function bytesOf({ bodyBytes, resultBytes }: Operation): string[] {
  const taken = bodyBytes && [
    `${code(bodyBytes.parameter)} may come as the raw body, of any content type but \`application/json\` and of at most ${bodyBytes.maxBytes} bytes; the other parameters then come in the query. It may also be the one file of a form (\`multipart/form-data\`) whose other fields are parameters.`,
    bodyBytes.contentType
      ? `The file's content type counts as ${code(bodyBytes.contentType)}, unless it is given.`
      : '',
    bodyBytes.fileName
      ? `The file's name in a form counts as ${code(bodyBytes.fileName)}, unless it is given.`
      : '',
  ];
  const asked = resultBytes?.onlyFor
    ? `Where \`Accept\` names \`${resultBytes.onlyFor}/*\`, HTTP answers the bytes of ${code(resultBytes.field)}, with content type, length and name; otherwise the fields below.`
    : `HTTP answers the bytes of ${code(resultBytes?.field ?? '')}, with content type, length and name. With \`Accept: application/json\` it answers the fields below.`;
  const answered = resultBytes && [
    `${asked} Types that a browser could run come as \`application/octet-stream\`, to be saved.`,
  ];
  return [taken, answered].flatMap((lines) => (lines ? [lines.filter(Boolean).join(' ')] : []));
}

function exampleText(operation: Operation): string {
  const { parameters, result } = operation.example;
  const { path, body } = operationRequest({ form: callFormOf(operation), parameters });
  const accept = operation.resultBytes ? '\nAccept: application/json' : '';
  const asked = body && Object.keys(body).length > 0 ? `\n\n${JSON.stringify(body)}` : '';
  const answer = {
    type: `${operation.name}-result`,
    requestId: `${operation.name}_1760000000000`,
    ...result,
  };
  return `\`\`\`http
${operation.method} ${path}${accept}${asked}

HTTP/1.1 200 OK
${JSON.stringify(answer, null, 2)}
\`\`\``;
}

const addressOf = ({ method, path }: Operation) => `${method} ${path}`;
