import { requestOf } from './api-call.ts';
import type { ApiCall } from './api-call.ts';

/** Where the code calls and what it brings. */
export interface Access {
  /** The relay's address. */
  origin: string;
  apiKey: string;
}

/** The call as a line for a POSIX shell. */
export function asCurl(call: ApiCall, { origin, apiKey }: Access): string {
  const { method, path, body } = requestOf(call);
  return [
    `curl ${call.operation.resultBytes ? '-OJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(origin + path)}`,
    `-H ${shellQuoted(`x-api-key: ${apiKey}`)}`,
    ...(body ? [`-H 'content-type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

/** The call with the TypeScript SDK. */
export function asTypeScript({ operation, clientId, parameters, userId }: ApiCall, access: Access): string {
  const options = userId ? `, { userId: ${quoted(userId)} }` : '';
  const hasParameters = Object.keys(parameters).length > 0;
  const given = hasParameters ? asLiteral(parameters, '') : options ? '{}' : '';
  return `import { createRelay } from '@tabletop-relay/sdk';

const relay = createRelay({
  url: ${quoted(access.origin)},
  apiKey: ${quoted(access.apiKey)},
  clientId: ${quoted(clientId)},
});

const answer = await relay.${operation.group}.${operation.sdkName}(${given}${options});
console.log(answer);`;
}

/** The call with Python's \`requests\`. */
export function asPython(call: ApiCall, { origin, apiKey }: Access): string {
  const { method, path, body } = requestOf(call);
  const url = new URL(path, origin);
  const query = Object.fromEntries(url.searchParams);
  return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(origin + url.pathname)},
    params=${pythonLiteral(query)},
    headers={"x-api-key": ${JSON.stringify(apiKey)}},${body ? `\n    json=${pythonLiteral(body)},` : ''}
    timeout=30,
)
response.raise_for_status()
print(${call.operation.resultBytes ? 'len(response.content)' : 'response.json()'})`;
}

/** Within single quotes a shell reads nothing but the closing one. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A JavaScript literal over several lines, as a formatter would leave it. */
function asLiteral(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => asLiteral(item, indent)).join(', ')}]`;
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, item]) => `${inner}${propertyName(name)}: ${asLiteral(item, inner)},`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** JSON's strings and numbers are Python's too; its three words are not. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item)}`)
    .join(', ')}}`;
}
