import { errors, oauthErrors } from '@tabletop-relay/contract';
import type { ErrorEntry } from '@tabletop-relay/contract';
import { anyOf } from '../marks.ts';
import type { Tally } from '../tally.ts';
import type { TryAnswer } from './send.ts';
import type { Try } from './tries.ts';
import type { Victim } from './victim.ts';

export type Judge = (attempt: Try, answer: TryAnswer) => void;

/** Says of each answer which promises it breaks. */
export function createJudge(tally: Tally, victim: Victim): Judge {
  const anyMark = anyOf(Object.values({ ...victim.secrets, ...victim.ids, ...victim.names }));

  return function judge(attempt, answer) {
    const found = (promise: Parameters<Tally['found']>[0], what: string) =>
      tally.found(promise, what, exampleOf(attempt, answer));
    const name = `${attempt.route.method} ${attempt.route.pattern}`;
    judgeLeaks(attempt, answer, { anyMark, ids: Object.values(victim.ids) }, (mark) =>
      found('leak', `${name}: ${nameOf(victim, mark)}`),
    );
    judgeStatus(attempt, answer, found, name);
    // A wildcard's route answers by itself what it does not have.
    if (attempt.isForeignMethod && answer.status !== 405 && !attempt.route.pattern.includes('*'))
      found('undocumented', `${attempt.method} ${attempt.route.pattern}: ${answer.status}`);
    if (isAdmitted(attempt, answer)) found('admitted', `${name}: ${attempt.principal.name}`);
    if (answer.status >= 400) {
      const fault = faultOfProblem(attempt, answer);
      if (fault) found('no problem', `${name}: ${fault}`);
    }
  };
}

type Found = (promise: 'wrong input' | 'internal' | 'undeclared 5xx' | 'undocumented', what: string) => void;

function judgeStatus(
  { route, method, isPlain }: Try,
  { status, text }: TryAnswer,
  found: Found,
  name: string,
): void {
  if (status === 500) found('internal', name);
  // Else it tries a route's door alone.
  if (isPlain && status === 406) found('wrong input', `${name}: 406`);
  const isDocumented = documents(route.documented, status);
  // The attackers' own world answers every command with nothing, which is no picture. An answer to HEAD does not say why.
  const isTheirFault = status === 502 && (method === 'HEAD' || text.includes('"code":"client_bad_reply"'));
  if (status > 500 && !(isPlain ? isDocumented : isTheirFault)) found('undeclared 5xx', `${name}: ${status}`);
  else if (isPlain && route.documented && status !== 500 && !isDocumented)
    found('undocumented', `${name}: ${status}`);
}

function documents(documented: string[] | undefined, status: number): boolean {
  const text = String(status);
  return documented === undefined
    ? status < 500
    : documented.some((each) => each === text || each.toLowerCase() === `${text[0]}xx`);
}

const ownRecords = new Set(['/auth/audit-log', '/auth/calls', '/auth/calls/:id', '/auth/export']);

/** What the attacker sent may be told back to them; all else of the victim may not. */
function judgeLeaks(
  attempt: Try,
  answer: TryAnswer,
  { anyMark, ids }: { anyMark: RegExp; ids: string[] },
  found: (mark: string) => void,
): void {
  const { path, headers, body, principal, route } = attempt;
  const shown = `${JSON.stringify(answer.headers)}\n${answer.text}`;
  const marks = shown.match(anyMark);
  if (!marks) return;
  // Administrators see who has an account, and that is all.
  if (principal.isAdministrator && route.pattern.startsWith('/admin/') && answer.status === 200) return;
  const sent = `${path}\n${decode(path)}\n${JSON.stringify(headers)}\n${body?.text.toString() ?? ''}`;
  // A tenant's own records repeat the ids that it named in calls before, whoever they belong to.
  const recorded = ownRecords.has(route.pattern) ? ids : [];
  for (const mark of new Set(marks)) if (!recorded.includes(mark) && !sent.includes(mark)) found(mark);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function nameOf({ secrets, ids, names }: Victim, mark: string): string {
  const all = Object.entries({ ...secrets, ...ids, ...names });
  return all.find(([, value]) => value === mark)?.[0] ?? '?';
}

function isAdmitted({ route, principal, isPlain }: Try, { status }: TryAnswer): boolean {
  if (!isPlain || status < 200 || status > 299) return false;
  if (route.pattern.startsWith('/admin/') && !principal.isAdministrator) return true;
  if (route.needs === null) return false;
  return route.needs !== principal.holds || principal.only?.(route) === false;
}

/** What is wrong with a refusal, or undefined. */
function faultOfProblem({ method, route }: Try, { status, headers, text }: TryAnswer): string | undefined {
  if ((status === 429 || status === 503) && !(Number(headers['retry-after']) > 0) && !isHealth(text))
    return `${status} without Retry-After`;
  if (method === 'HEAD' || isHealth(text)) return undefined;
  // Assistants are refused in the words of their protocol where a message is none of it.
  if (route.pattern.startsWith('/mcp') && text.startsWith('{"jsonrpc":"2.0",')) return undefined;
  if (route.speaksOAuth) return faultOfOAuth(status, text);
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    return `${status} as ${String(headers['content-type'])}`;
  const problem = JSON.parse(text) as { code?: string; status?: number; traceId?: string };
  const entry = (errors as Record<string, ErrorEntry>)[problem.code ?? ''];
  if (!entry) return `the code ${problem.code}`;
  if (entry.status !== status || problem.status !== status) return `${problem.code} as ${status}`;
  return problem.traceId === headers['x-request-id'] ? undefined : 'another traceId than the header’s';
}

function faultOfOAuth(status: number, text: string): string | undefined {
  const { error = '' } = JSON.parse(text) as { error?: string };
  const entry = (oauthErrors as Record<string, { status: number }>)[error];
  return entry?.status === status ? undefined : `${error} as ${status}`;
}

const isHealth = (text: string) => text.startsWith('{"status":"degraded"');

function exampleOf({ method, path, headers, body, principal }: Try, { status, text }: TryAnswer): string {
  const sent = body ? ` body ${JSON.stringify(body.text.toString().slice(0, 300))}` : '';
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)}${sent} as ${principal.name} -> ${status} ${text.slice(0, 300)}`;
}
