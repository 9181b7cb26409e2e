import { pythonName } from '@tabletop-relay/contract';

/** One request as it goes over HTTP, and how the SDK makes it. */
export interface CodeCall {
  method: string;
  /** Path and query string, all parts encoded. */
  path: string;
  /** Fields of a JSON body. */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** What comes back: JSON, a file, or server-sent events. */
  answers: 'json' | 'file' | 'events';
  /** Header of the key; undefined for calls that need none. */
  credential: 'apiKey' | 'session' | 'none';
  /** Only where the SDK has a method: `sys5e.skillCheck`. */
  sdk?: SdkCall | undefined;
  /** Only where the command line has a command: the words behind `tabletop`. */
  command?: readonly string[] | undefined;
}

interface SdkCall {
  method: string;
  clientId: string;
  /** By name; what is left out is not there. */
  parameters: Readonly<Record<string, unknown>>;
  userId?: string | undefined;
}

/** Where the code calls and what it brings. */
export interface Access {
  /** The relay's address. */
  origin: string;
  apiKey: string;
}

/** The call as a line for a POSIX shell. */
export function asCurl(call: CodeCall, { origin, apiKey }: Access): string {
  const { method, path, body, answers } = call;
  const option = { json: '', file: '-OJ ', events: '-N ' }[answers];
  const headers = { ...credentialOf(call, apiKey), ...(body ? { 'content-type': 'application/json' } : {}) };
  return [
    `curl ${option}${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${shellQuoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

/** The call with the command line. The key stands in the environment: every program of a machine reads command lines. */
export const asShell = ({ command = [] }: CodeCall, { origin, apiKey }: Access): string =>
  [
    `export TABLETOP_URL=${shellQuoted(origin)}`,
    `export TABLETOP_KEY=${shellQuoted(apiKey)}`,
    ['tabletop', ...command.map(plainOrQuoted)].join(' '),
  ].join('\n');

/** The call with the TypeScript SDK, or with `fetch` where it has no method. */
export function asTypeScript(call: CodeCall, access: Access): string {
  if (!call.sdk) return asFetch(call, access);
  const { method, clientId, parameters, userId } = call.sdk;
  const options = userId ? `, { userId: ${quoted(userId)} }` : '';
  const hasParameters = Object.keys(parameters).length > 0;
  const given = hasParameters ? asLiteral(parameters, '') : options ? '{}' : '';
  const asked = `relay.${method}(${given}${options})`;
  return `import { createRelay } from '@tabletop-relay/sdk';

const relay = createRelay({
  url: ${quoted(access.origin)},
  apiKey: ${quoted(access.apiKey)},
  clientId: ${quoted(clientId)},
});

${
  call.answers === 'events'
    ? `for await (const event of ${asked}) console.log(event);`
    : `const answer = await ${asked};
console.log(answer);`
}`;
}

function asFetch(call: CodeCall, { origin, apiKey }: Access): string {
  const { method, path, body, answers } = call;
  const headers = { ...credentialOf(call, apiKey), ...(body ? { 'content-type': 'application/json' } : {}) };
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...(Object.keys(headers).length > 0 ? [`  headers: ${asLiteral(headers, '  ')},`] : []),
    ...(body ? [`  body: JSON.stringify(${asLiteral(body, '  ')}),`] : []),
  ];
  const options = lines.length > 0 ? `, {\n${lines.join('\n')}\n}` : '';
  const read =
    answers === 'events'
      ? `const decoder = new TextDecoder();
for await (const bytes of response.body ?? []) console.log(decoder.decode(bytes, { stream: true }));`
      : 'console.log(response.status, await response.json());';
  return `const response = await fetch(${quoted(origin + path)}${options});\n${read}`;
}

/** The call with the Python SDK, or with the HTTP client that it brings where it has no method. */
export function asPython(call: CodeCall, access: Access): string {
  if (!call.sdk) return asHttpx(call, access);
  const { method, clientId, parameters, userId } = call.sdk;
  const given = { ...parameters, ...(userId ? { userId } : {}) };
  const lines = Object.entries(given).map(
    ([name, value]) => `    ${pythonName(name)}=${pythonLiteral(value)},\n`,
  );
  const asked = `relay.${method.split('.').map(pythonName).join('.')}(${lines.length > 0 ? '\n' : ''}${lines.join('')})`;
  const read = {
    json: `answer = ${asked}\nprint(answer)`,
    file: `file = ${asked}\nprint(file.name, file.type, len(file.bytes))`,
    events: `for event in ${asked}:\n    print(event)`,
  }[call.answers];
  return `from tabletop_relay import Relay

relay = Relay(
    ${JSON.stringify(access.origin)},
    ${JSON.stringify(access.apiKey)},
    client_id=${JSON.stringify(clientId)},
)
${read}`;
}

function asHttpx(call: CodeCall, { origin, apiKey }: Access): string {
  const { method, path, body, answers } = call;
  const url = new URL(path, origin);
  const query = Object.fromEntries(url.searchParams);
  const lines = [
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(origin + url.pathname)},`,
    ...(Object.keys(query).length > 0 ? [`    params=${pythonLiteral(query)},`] : []),
    ...(call.credential === 'none' ? [] : [`    headers=${pythonLiteral(credentialOf(call, apiKey))},`]),
    ...(body ? [`    json=${pythonLiteral(body)},`] : []),
    ...(answers === 'events' ? ['    timeout=40,'] : ['    timeout=30,']),
  ].join('\n');
  if (answers === 'events') {
    return `import httpx2

with httpx2.stream(
${lines}
) as response:
    for line in response.iter_lines():
        print(line)`;
  }
  return `import httpx2

response = httpx2.request(
${lines}
)
if response.is_error:
    raise SystemExit(response.text)
${answers === 'file' ? 'print(len(response.content))' : 'print(response.json())'}`;
}

function credentialOf({ credential }: CodeCall, secret: string): Record<string, string> {
  if (credential === 'none') return {};
  return credential === 'apiKey' ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
}

/** Within single quotes a shell reads nothing but the closing one. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const plainOrQuoted = (text: string): string => (/^[\w.:/=-]+$/.test(text) ? text : shellQuoted(text));

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
