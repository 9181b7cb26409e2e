import type { AllEndpoints } from '@tabletop-relay/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createAccountClient } from './account-client.ts';
import type { AccountClient } from './account-client.ts';
import { RelayError } from './requests/relay-error.ts';

interface Sent {
  method: string;
  url: string;
  body: unknown;
  headers: Record<string, string>;
}

/** A client whose requests are kept and answered with `answer`. */
function clientWith(answer: object = {}, status = 200) {
  const sent: Sent[] = [];
  const client = createAccountClient({
    url: 'https://relay.example/',
    headers: { authorization: 'Bearer trs_x' },
    addresses: { pourTea: 'PUT /teas/:tea/cups/:cup', spillTea: 'DELETE /teas/:tea?' },
    fetch: (url, init) => {
      sent.push({
        method: init?.method ?? '',
        url: url as string,
        body: init?.body === undefined ? undefined : (JSON.parse(init.body as string) as unknown),
        headers: init?.headers as Record<string, string>,
      });
      return Promise.resolve(new Response(JSON.stringify(answer), { status }));
    },
  }) as AccountClient & TeaMethods;
  return { client, sent };
}

interface TeaMethods {
  pourTea(fields: { tea: string; cup: string; sugar: number }): Promise<{ poured: boolean }>;
  spillTea(fields: { tea: string; cup: string }): Promise<object>;
}

describe('a method sends', () => {
  it('the fields of a GET in its query, without those that are undefined', async () => {
    const { client, sent } = clientWith();
    await client.listConnectionLogs({ client: 'a b', limit: 3, cursor: undefined });
    expect(sent).toMatchObject([
      {
        method: 'GET',
        url: 'https://relay.example/auth/connection-logs?client=a+b&limit=3',
        body: undefined,
      },
    ]);
  });

  it('the texts of a path in it, encoded, and the others in the body', async () => {
    const { client, sent } = clientWith();
    await client.updateApiKey({ id: 'a/b?c', name: 'Bot' });
    expect(sent).toMatchObject([
      { method: 'PATCH', url: 'https://relay.example/auth/api-keys/a%2Fb%3Fc', body: { name: 'Bot' } },
    ]);
  });

  it('no body where there is no field for one', async () => {
    const { client, sent } = clientWith();
    await client.approveKeyRequest({ code: 'ABC' });
    await client.logout();
    expect(sent.map(({ body, url }) => [body, url])).toEqual([
      [undefined, 'https://relay.example/auth/key-request/ABC/approve'],
      [undefined, 'https://relay.example/auth/logout'],
    ]);
  });

  it('the fields in the query where the address ends with a question mark', async () => {
    const { client, sent } = clientWith();
    await client.spillTea({ tea: 'mint', cup: '2' });
    expect(sent).toMatchObject([
      { method: 'DELETE', url: 'https://relay.example/teas/mint?cup=2', body: undefined },
    ]);
  });

  it('the headers of the client and those of the call', async () => {
    const { client, sent } = clientWith();
    await client.pollKeyRequest({ code: 'ABC' }, { headers: { 'x-poll-verifier': 'v' } });
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer trs_x', 'x-poll-verifier': 'v' });
  });

  it.each(['', '.', '..'])('nothing for the id %j, which would lead to another endpoint', async (id) => {
    const { client, sent } = clientWith();
    await expect(client.enableAccount({ id })).rejects.toMatchObject({
      name: 'RelayError',
      code: 'not_found',
    });
    expect(sent).toEqual([]);
  });

  it('a problem back as a RelayError with its fields', async () => {
    const { client } = clientWith({ code: 'conflict', detail: 'Taken.', errors: [] }, 409);
    const failed = client.register({ email: 'a@example.org', password: 'vexed otter' });
    await expect(failed).rejects.toBeInstanceOf(RelayError);
    await expect(failed).rejects.toMatchObject({ code: 'conflict', status: 409, problem: { errors: [] } });
  });

  it('a request to an endpoint that only this relay has', async () => {
    const { client, sent } = clientWith({ poured: true });
    expect(await client.pourTea({ tea: 'mint', cup: '2', sugar: 1 })).toEqual({ poured: true });
    expect(sent).toMatchObject([
      { method: 'PUT', url: 'https://relay.example/teas/mint/cups/2', body: { sugar: 1 } },
    ]);
  });
});

describe('the types of a method', () => {
  const { client } = clientWith();

  it('are those of the literal', () => {
    expectTypeOf<Awaited<ReturnType<typeof client.createApiKey>>['apiKey']>().toEqualTypeOf<string>();
    // @ts-expect-error: a scope that there is not
    void (() => client.createApiKey({ name: 'Bot', scopes: ['tea:pour'] }));
    // @ts-expect-error: the id is missing
    void (() => client.endSession({}));
  });

  it('leave out streams, which no promise could resolve with', () => {
    expectTypeOf<keyof AllEndpoints>().extract<'followKnownClients'>().not.toBeNever();
    expectTypeOf<keyof typeof client>().extract<'followKnownClients'>().toBeNever();
  });
});
