import { BusFailure } from '@tabletop-relay/cluster';
import type { FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createRelayMetrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { createTellFailure } from './refusals.ts';

/** The fields of the line that a refusal leaves. */
function lineOf(problem: ProblemError): Record<string, unknown> {
  const lines: object[] = [];
  const tellFailure = createTellFailure({
    metrics: createRelayMetrics(new Registry()),
    nameOf: (boot) => (boot === 'boot-2' ? 'relay-2' : boot),
  });
  const request = {
    headers: {},
    routeOptions: { url: '/', config: {} },
    log: { info: (line: object) => lines.push(line) },
  };
  tellFailure(problem, request as unknown as FastifyRequest);
  return JSON.parse(JSON.stringify(lines[0])) as Record<string, unknown>;
}

it('a refusal names the instance that the call was sent to', () => {
  const cause = new BusFailure('lost', true, 'the owner is gone');
  expect(lineOf(new ProblemError('client_lost', undefined, { cause }))).not.toHaveProperty('owner');
  cause.owner = 'boot-2';
  const line = lineOf(new ProblemError('client_lost', undefined, { cause }));
  expect(line).toMatchObject({ owner: 'relay-2', reason: 'the owner is gone' });
});

it('a refusal says its reason: the code of the world, or our words of a fault, and no text of the world', () => {
  const refusedByWorld = new ProblemError('operation_failed', 'Mira is dead', { reason: 'entity_not_found' });
  expect(lineOf(refusedByWorld)).toMatchObject({ reason: 'entity_not_found' });
  const ofOwn = new ProblemError('operation_failed', 'No', { reason: 'a-word-of-the-world' });
  for (const problem of [ofOwn, new ProblemError('operation_failed', 'Mira is dead')])
    expect(lineOf(problem)).not.toHaveProperty('reason');
  expect(lineOf(new ProblemError('unavailable', 'The world is just moving.'))).toMatchObject({
    reason: 'The world is just moving.',
  });
  expect(lineOf(new ProblemError('key_invalid'))).not.toHaveProperty('reason');
});
