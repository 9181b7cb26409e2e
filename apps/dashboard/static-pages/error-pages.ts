import { errors, problemExample } from '@tabletop-relay/contract';
import type { ErrorCode, ErrorEntry } from '@tabletop-relay/contract';
import { codeBlock, escapeHtml } from './markdown.ts';
import type { StaticPage } from './static-page.ts';

/** The list of all codes, the page behind each problem's `type`, and the page of an address that is none. */
export function errorPages(): StaticPage[] {
  return [notFoundPage, indexPage(), ...(Object.keys(errors) as ErrorCode[]).map(errorPage)];
}

const notFoundPage: StaticPage = {
  file: 'not-found.html',
  title: 'Nothing here',
  current: '',
  html: `<h1>There is no page here</h1>
<p>The address may have a slip of the pen in it, or what stood here has moved.</p>
<ul>
<li><a href="/dashboard">Your worlds and keys</a>, in the dashboard</li>
<li><a href="/docs">Every call</a>, with a search</li>
<li><a href="/guides">The guides</a></li>
<li><a href="/errors">What each error means</a></li>
</ul>`,
};

function indexPage(): StaticPage {
  const rows = Object.entries<ErrorEntry>(errors).map(
    ([code, { status, title }]) =>
      `<tr><td class="number">${status}</td><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${escapeHtml(title)}</td></tr>`,
  );
  return {
    file: 'errors/index.html',
    title: 'Errors',
    current: '/errors',
    html: `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457, <code>application/problem+json</code>). Decide by its <code>code</code>;
show its <code>detail</code>; quote its <code>traceId</code> when you report it.</p>
<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`,
  };
}

function errorPage(code: ErrorCode): StaticPage {
  const entry: ErrorEntry = errors[code];
  const body = JSON.stringify(problemExample(code, 'https://relay.example.com'), null, 2);
  return {
    file: `errors/${code}.html`,
    title: entry.title,
    current: '/errors',
    html: `<p class="back"><a href="/errors">All errors</a></p>
<h1>${escapeHtml(entry.title)}</h1>
<p class="lead"><code>${code}</code>, status ${entry.status}</p>
<p>${withCode(entry.description)}</p>
<h2>May I repeat the call?</h2>
<p>${repetition(entry)}</p>
<h2>What the answer looks like</h2>
${codeBlock(body, 'json')}
<h2>What to do</h2>
<p><a href="/guides/failure-modes#${code}">Failure modes</a> says what the caller and the operator can do about it.</p>`,
  };
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

const withCode = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
