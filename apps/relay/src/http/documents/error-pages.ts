import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, ErrorEntry } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ProblemError } from '../../problem.ts';

/** The page behind every problem's `type`, generated from the catalogue. */
export function registerErrorPages(app: FastifyInstance): void {
  app.get('/errors', { schema: { hide: true } }, (_request, reply) => sendPage(reply, 'Errors', indexPage()));
  app.get('/errors/style.css', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  );
  app.get<{ Params: { code: string } }>('/errors/:code', { schema: { hide: true } }, ({ params }, reply) => {
    if (!Object.hasOwn(errors, params.code))
      throw new ProblemError('not_found', 'No error has this code. /errors lists them all.');
    const code = params.code as ErrorCode;
    return sendPage(reply, code, errorPage(code, errors[code]));
  });
}

function indexPage(): string {
  const rows = Object.entries(errors as Record<string, ErrorEntry>).map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${escape(title)}</td></tr>`,
  );
  return `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457, <code>application/problem+json</code>). Decide by its <code>code</code>;
show its <code>detail</code>; quote its <code>traceId</code> when you report it.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function errorPage(code: ErrorCode, entry: ErrorEntry): string {
  return `<p><a href="/errors">All errors</a></p>
<h1>${escape(entry.title)}</h1>
<p><code>${code}</code>, status ${entry.status}</p>
<p>${escape(entry.description).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
<h2>May I repeat the call?</h2>
<p>${repetition(entry)}</p>`;
}

function repetition({ retryable, outcome }: ErrorEntry): string {
  if (retryable === 'queries') {
    return 'A query, yes. A command may have been carried out already (<code>outcome</code> is <code>unknown</code>): look first, then decide.';
  }
  if (retryable)
    return 'Yes, after the time in the <code>Retry-After</code> header. Nothing was sent to the world.';
  return outcome === 'not_sent'
    ? 'Nothing was sent to the world. Repeat it once the cause is mended.'
    : 'Not as it is: the same call would fail again.';
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .header('cache-control', 'public, max-age=3600').send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} · Tabletop Relay</title><link rel="stylesheet" href="/errors/style.css"></head>
<body><main>${body}</main></body>
</html>`);
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `:root{color-scheme:light dark;--ink:#1d2126;--paper:#fbfaf8;--line:#d8d4cc;--accent:#7a3e12}
@media (prefers-color-scheme:dark){:root{--ink:#e8e4dc;--paper:#17191c;--line:#3a3d42;--accent:#e3a26f}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:70ch;margin:0 auto;padding:32px 16px}
h1{font-size:28px;line-height:1.2}h2{font-size:20px;margin-top:32px}
a{color:var(--accent)}code{font-family:ui-monospace,monospace;font-size:.92em}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:8px 16px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
`;
