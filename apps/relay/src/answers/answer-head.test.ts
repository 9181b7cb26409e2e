import Fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { setStanding, writeHead } from './answer-head.ts';
import type { HeaderList } from './answer-head.ts';

/** The headers of an answer that `answer` makes, with two that stand. */
async function headersOf(answer: (reply: FastifyReply) => unknown) {
  const app = Fastify();
  app.decorateReply('standing', null as unknown as HeaderList);
  app.get('/', (_request, reply) => {
    reply.standing = ['cache-control', 'no-store', 'x-request-id', 'abc'];
    answer(reply);
    return reply;
  });
  const { headers } = await app.inject('/');
  return headers;
}

const end = (reply: FastifyReply, headers: HeaderList) => {
  writeHead(reply, headers);
  reply.raw.end();
};

test('an answer that is written past Fastify has the standing headers and its own', async () => {
  const headers = await headersOf((reply) => end(reply, ['content-type', 'text/plain']));
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-request-id': 'abc',
    'content-type': 'text/plain',
  });
});

test('what an answer was given before goes before a standing header, and each stands once', async () => {
  const headers = await headersOf((reply) => {
    void reply.headers({ 'cache-control': 'no-cache', connection: 'close' });
    end(reply, ['content-type', 'text/plain']);
  });
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    connection: 'close',
    'x-request-id': 'abc',
    'content-type': 'text/plain',
  });
});

test('an answer that Fastify sends has the standing headers that it does not set itself', async () => {
  const headers = await headersOf((reply) => {
    void reply.header('cache-control', 'no-cache');
    setStanding(reply);
    void reply.send('');
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-request-id': 'abc' });
});
