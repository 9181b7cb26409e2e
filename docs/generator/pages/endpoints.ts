import {
  endpointGroups,
  endpointLimits,
  isDownload,
  isEventStream,
  isRedirect,
  oauthErrors,
  pathNames,
  problemsOf,
} from '../../../packages/contract/src/index.ts';
import type { Endpoint, EndpointGroup, LimitEntry, LimitName } from '../../../packages/contract/src/index.ts';
import { code, codes, fieldRows, page, table } from '../markdown.ts';
import type { SchemaText } from '../markdown.ts';

const intro = `These endpoints are what the dashboard uses, and what modules and integrations call to get their credentials. Bodies and
answers are JSON. A body or query with an unknown field is refused, unless it says otherwise here; answers may gain
fields. Times are ISO 8601.

A session is the dashboard's cookie, or \`Authorization: Bearer trs_...\`. An endpoint that answers any origin can be
called from every web page, without cookies; all others refuse browsers that come from another site.

Lists are paged: \`limit\` and \`cursor\` in the query, \`items\` and \`nextCursor\` in the answer, newest first. A limit is
counted over all instances, and each is a setting ([configuration](configuration.md)). Each code has its meaning under
[errors](errors.md).

The SDK has a method for each endpoint: \`createAccountClient({ url, headers }).createApiKey({ name, scopes })\`.`;

const accesses = {
  none: 'nothing',
  session: 'a session',
  administrator: 'a session of an administrator',
  apiKey: 'an API key',
} as const satisfies Record<Endpoint['auth'], string>;

/** `docs/reference/account-api.md`: one table for each group, and then each endpoint with its fields. */
export function endpointsPage(groups: Readonly<Record<string, EndpointGroup>> = endpointGroups): string {
  return page(
    'Account API',
    '`packages/contract/src/endpoints`',
    intro,
    ...Object.values(groups).map(groupText),
    oauthFailures(),
  );
}

/** Of the endpoints whose failures are no problem documents. */
function oauthFailures(): string {
  const rows = Object.entries(oauthErrors).map(([name, { status, description }]) => [
    code(name),
    String(status),
    description,
  ]);
  return `## Failures of OAuth

The endpoints that OAuth’s standards describe answer \`{ error, error_description }\`, as RFC 6749 has it. \`/oauth/authorize\` answers
browsers: whatever is wrong leads them to a page of the relay that says so.

${table(['error', 'status', 'meaning'], rows)}`;
}

function groupText({ title, endpoints }: EndpointGroup): string {
  const all = Object.entries(endpoints);
  return [
    `## ${title}`,
    table(
      ['endpoint', 'does', 'needs', 'limit', 'problems'],
      all.map(([name, endpoint]) => [
        `[${endpoint.method} ${endpoint.path}](#${name.toLowerCase()})`,
        endpoint.summary,
        needsOf(endpoint),
        endpoint.limit ? limitText(endpoint.limit) : 'none',
        endpoint.speaks ? '[those of OAuth](#failures-of-oauth)' : codes(problemsOf(endpoint)),
      ]),
    ),
    ...all.map(([name, endpoint]) => endpointText(name, endpoint)),
  ].join('\n\n');
}

function needsOf({ auth, scope }: Endpoint): string {
  return scope ? `${accesses[auth]} with ${code(scope)}` : accesses[auth];
}

function limitText(name: LimitName): string {
  const { rate, by }: LimitEntry = endpointLimits[name];
  const setting = `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return `${rate} and ${by} (${code(setting)})`;
}

function endpointText(name: string, endpoint: Endpoint): string {
  const { method, path, summary, description = '', origin, openToDisabled } = endpoint;
  const facts = [
    code(`${method} ${path}`),
    `needs ${needsOf(endpoint)}`,
    origin === 'any' ? 'answers any origin' : '',
    endpoint.form ? 'takes a form' : '',
    openToDisabled ? 'open to disabled accounts' : '',
    isEventStream(endpoint.answer) || endpoint.speaks ? '' : `SDK ${code(`client.${name}`)}`,
  ];
  const fields = inputRows(endpoint);
  return [
    `### ${name}`,
    `${summary}. ${description}`.trim(),
    facts.filter(Boolean).join(' · '),
    fields.length > 0 ? table(['field', 'place', 'type', 'meaning'], fields) : '',
    answerText(endpoint.answer),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function inputRows({ path, params = {}, headers, query, body }: Endpoint): string[][] {
  const inPath = Object.fromEntries(
    pathNames(path).map((name) => [name, params[name] ?? { type: 'string' }]),
  );
  const places: [string, SchemaText | undefined][] = [
    ['path', { properties: inPath, required: Object.keys(inPath) }],
    ['header', headers],
    ['query', query],
    ['body', body],
  ];
  return places.flatMap(([place, schema]) =>
    fieldRows(schema ?? {}).map(([name = '', type = '', meaning = '']) => [name, place, type, meaning]),
  );
}

function answerText(answer: Endpoint['answer']): string {
  if (isDownload(answer)) return `Answers the file ${code(answer.download)}. ${answer.description}`;
  if (isEventStream(answer)) {
    const rows = Object.entries(answer.events).map(([name, { meaning, data }]) => [
      code(name),
      codes(Object.keys(data)) || 'nothing',
      meaning,
    ]);
    return `${answer.description}\n\n${table(['event', 'data', 'meaning'], rows)}`;
  }
  if (isRedirect(answer)) return `Leads the browser on (303). ${answer.leadsTo}`;
  const rows = fieldRows(answer);
  return rows.length > 0 ? table(['answer', 'type', 'meaning'], rows) : 'Answers an empty object.';
}
