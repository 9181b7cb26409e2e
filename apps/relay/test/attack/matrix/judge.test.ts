import { describe, expect, it } from 'vitest';
import { createTally } from '../tally.ts';
import { createJudge } from './judge.ts';
import type { Principal } from './principals.ts';
import type { AttackedRoute } from './routes.ts';
import type { TryAnswer } from './send.ts';
import type { Victim } from './victim.ts';

const victim = {
  ids: { key: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
  secrets: { 'master key': 'trm_secret-of-the-victim' },
  names: { 'world title': 'canary-1' },
} as unknown as Victim;

const route: AttackedRoute = {
  method: 'GET',
  pattern: '/auth/api-keys',
  needs: 'session',
  speaksOAuth: false,
  openToDisabled: false,
  documented: ['200', '401', '503'],
  path: undefined,
  body: undefined,
  query: undefined,
  headers: [],
};
const session: Principal = { name: 'session', headers: {}, holds: 'session' };
const key: Principal = { name: 'key', headers: {}, holds: 'apiKey' };

function judge(
  answer: Partial<TryAnswer>,
  { pattern = '/auth/api-keys', path = '/auth/api-keys', principal = session, isForeignMethod = false } = {},
) {
  const tally = createTally();
  const attempt = {
    route: { ...route, pattern },
    principal,
    method: 'GET',
    path,
    headers: [],
    body: undefined,
    isPlain: !isForeignMethod,
    isForeignMethod,
  };
  createJudge(tally, victim)(attempt, { status: 200, headers: {}, text: '{}', ...answer });
  return tally.findings().map(({ promise, what }) => [promise, what]);
}

const problem = (status: number, code: string, headers: TryAnswer['headers'] = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'x-request-id': 't', ...headers },
  text: JSON.stringify({ code, status, traceId: 't' }),
});
const name = 'GET /auth/api-keys';

describe('the judge of an answer', () => {
  it('finds nothing in what is documented', () => {
    expect(judge({})).toEqual([]);
    expect(judge(problem(401, 'session_missing'))).toEqual([]);
    expect(judge(problem(503, 'unavailable', { 'retry-after': '1' }))).toEqual([]);
  });

  it.each<[string, Partial<TryAnswer>, [string, string][]]>([
    ['a secret', { text: 'trm_secret-of-the-victim' }, [['leak', `${name}: master key`]]],
    ['an id', { text: '"01ARZ3NDEKTSV4RRFFQ69G5FAV"' }, [['leak', `${name}: key`]]],
    ['a name in a header', { headers: { location: '/canary-1' } }, [['leak', `${name}: world title`]]],
    ['a 500', problem(500, 'internal'), [['internal', name]]],
    ['a 502', problem(502, 'client_lost'), [['undeclared 5xx', `${name}: 502`]]],
    ['a 409', problem(409, 'conflict'), [['undocumented', `${name}: 409`]]],
    ['no wait', problem(503, 'unavailable'), [['no problem', `${name}: 503 without Retry-After`]]],
    ['a code of none', problem(401, 'nope'), [['no problem', `${name}: the code nope`]]],
    ['a code of another status', problem(401, 'not_found'), [['no problem', `${name}: not_found as 401`]]],
    ['a page', { status: 401, text: '<p>' }, [['no problem', `${name}: 401 as undefined`]]],
  ])('finds %s', (_what, answer, findings) => {
    expect(judge(answer)).toEqual(findings);
  });

  it('lets the records of a tenant repeat ids that it named, and nothing else of the victim', () => {
    const text = '01ARZ3NDEKTSV4RRFFQ69G5FAV canary-1';
    expect(judge({ text }, { pattern: '/auth/calls' })).toEqual([['leak', 'GET /auth/calls: world title']]);
  });

  it('lets be told back what was sent', () => {
    expect(judge({ text: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { path: '/x/01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toEqual(
      [],
    );
  });

  it('finds a method that no route takes and that is not refused as such', () => {
    expect(judge({}, { isForeignMethod: true })).toEqual([['undocumented', 'GET /auth/api-keys: 200']]);
    expect(judge(problem(405, 'method_not_allowed'), { isForeignMethod: true })).toEqual([]);
  });

  it('finds who got in with something else', () => {
    expect(judge({}, { principal: key })).toEqual([['admitted', `${name}: key`]]);
  });
});
