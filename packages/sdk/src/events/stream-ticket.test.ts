import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { listen, seen, stopListening } from '../../test/answers.ts';
import { createRelay } from '../create-relay.ts';

afterEach(stopListening);

const ticket = { ticket: 'tre_one', url: 'http://relay/encounters/subscribe?ticket=tre_one', expiresIn: 60 };

test('a ticket is asked for by the channel, its filters and the key', async () => {
  const relay = createRelay({ url: await listen({ body: ticket }), apiKey: 'trk_key', clientId: 'demo' });
  expect(await relay.streamTicket('combat', { encounterId: 'a', clientId: undefined })).toEqual(ticket);
  await relay.streamTicket('hooks', { clientId: 'other', hooks: ['one', 'two'] });
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/events/tickets',
      headers: { 'x-api-key': 'trk_key' },
      body: { path: '/encounters/subscribe', query: { clientId: 'demo', encounterId: 'a' } },
    },
    { body: { path: '/hooks/subscribe', query: { clientId: 'other', hooks: 'one,two' } } },
  ]);
});

test('a ticket that is refused is a RelayError', async () => {
  const refusal = { status: 403, body: { code: 'scope_missing', detail: 'no' } };
  const relay = createRelay({ url: await listen(refusal), apiKey: 'trk_key' });
  await expect(relay.streamTicket('rolls', {})).rejects.toMatchObject({ code: 'scope_missing', status: 403 });
});

test('a ticket is asked for again where the connection broke, since another one does no harm', async () => {
  const url = await listen({ hangUp: true }, { body: ticket });
  const relay = createRelay({ url, apiKey: 'trk_key', clientId: 'demo', retries: 1 });
  expect(await relay.streamTicket('combat', {})).toEqual(ticket);
  expect(seen).toHaveLength(2);
});

test('a ticket takes the filters of its channel', () => {
  const { streamTicket } = createRelay({ url: 'http://relay', apiKey: 'k' });
  expectTypeOf(streamTicket<'combat'>)
    .parameter(1)
    .toExtend<{ encounterId?: string | undefined }>();
  // @ts-expect-error: the filter of another channel
  void (() => streamTicket('combat', { sceneId: 'chapel' }));
});
