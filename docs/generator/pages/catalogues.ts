import {
  channels,
  commonReasons,
  endpoints,
  errors,
  operations,
  scopes,
} from '../../../packages/contract/src/index.ts';
import type { ChannelDefinition, Endpoint, ErrorEntry } from '../../../packages/contract/src/index.ts';
import { code, codes, page, table } from '../markdown.ts';

/** `docs/reference/errors.md`. */
export function errorsPage(): string {
  const entries = Object.entries<ErrorEntry>(errors);
  const rows = entries.map(([name, { status, title, retryable, outcome }]) => [
    `[${code(name)}](../failure-modes.md#${name})`,
    String(status),
    title,
    retryable === 'queries' ? 'queries only' : retryable ? 'yes' : 'no',
    outcome ?? '',
  ]);
  const intro = `Errors are \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`retryable\`,
\`traceId\` (also in \`x-request-id\`), \`error\` (repeats \`detail\`), and where there is one \`requestId\`. Each code has its page
at \`/errors/<code>\` of every relay. A failed operation also has \`outcome\`: \`not_sent\` never reached the world, \`unknown\` may
have been carried out. What to do about each: [failure modes](../failure-modes.md).`;
  return page(
    'Errors',
    '`packages/contract/src/errors/errors.ts`',
    intro,
    table(['code', 'status', 'title', 'repeat as it is', 'outcome'], rows),
    ...entries.map(
      ([name, { description }]) =>
        `## ${name}\n\n${description}${name === 'operation_failed' ? `\n\n${reasonsTable()}` : ''}`,
    ),
  );
}

/** The reasons that any operation may be refused with; each operation's own stand in its section. */
function reasonsTable(): string {
  const rows = Object.entries<string>(commonReasons).map(([name, words]) => [code(name), words]);
  const own = 'Beside those that [an operation](operations.md) names, any may be refused with:';
  return `${own}\n\n${table(['reason', 'meaning'], rows)}`;
}

/** `docs/reference/scopes.md`. */
export function scopesPage(): string {
  const streams = Object.values<ChannelDefinition>(channels).map(({ path }) => ({
    method: 'GET',
    path,
    scope: 'events:subscribe',
  }));
  const calls = [...Object.values<Endpoint>(endpoints), ...operations, ...streams];
  const rows = Object.entries<{ title: string; dangerous?: string }>(scopes).map(([name, scope]) => {
    const opened = calls.filter((call) => call.scope === name).map(({ method, path }) => `${method} ${path}`);
    return [
      code(name),
      scope.title,
      opened.length > 0 ? codes(opened) : 'nothing yet',
      scope.dangerous ?? '',
    ];
  });
  return page(
    'Scopes',
    '`packages/contract/src/scopes.ts`',
    'A scoped key holds at least one scope; the master key holds all. The words are those that a person reads who approves a key.',
    table(['scope', 'allows to', 'opens', 'look twice'], rows),
  );
}
