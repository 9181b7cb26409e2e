import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, ErrorEntry } from '@tabletop-relay/contract';
import { request } from 'undici';
import { expect } from 'vitest';
import type { TestInstances } from './instances.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** One HTTP request as it is given: any header, any bytes. */
export async function send(
  method: string,
  address: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer | undefined } = {},
): Promise<RawAnswer> {
  const answer = await request(address, {
    method: method as 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  const isJson = /json/.test(String(answer.headers['content-type']));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson && text ? (JSON.parse(text) as RawAnswer['body']) : { text },
  };
}

/** What a row expects beyond what the catalogue says of its code. */
export interface Expected {
  code: ErrorCode;
  outcome?: 'not_sent' | 'unknown';
  detail?: RegExp;
  /** Where the page of the code is; absent: at this relay. */
  type?: RegExp;
  [field: string]: unknown;
}

/** The whole problem document, as the catalogue has it, and the one log line that tells of it. */
export function expectProblem(cluster: TestInstances, answer: RawAnswer, expected: Expected): void {
  const {
    code,
    detail = /./,
    outcome,
    type = new RegExp(`^http://.+/errors/${code}$`),
    ...fields
  } = expected;
  const entry: ErrorEntry = errors[code];
  const { body, headers, status } = answer;
  expect(body).toMatchObject({ code, ...fields });
  expect(status).toBe(entry.status);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({
    type: expect.stringMatching(type) as unknown,
    title: entry.title,
    status: entry.status,
    detail: expect.stringMatching(detail) as unknown,
    retryable: expect.any(Boolean) as unknown,
    traceId: headers['x-request-id'],
    error:
      code === 'scope_missing' ? `API key lacks required scope: ${String(body['scope'])}` : body['detail'],
  });
  expect(body['success']).toBe(code === 'operation_failed' ? false : undefined);
  expect(body['outcome']).toBe(outcome);
  const lines = cluster.logs.filter((line) => line['requestId'] === body['traceId']);
  expect(lines).toEqual([expect.objectContaining({ code, status: entry.status })]);
}
