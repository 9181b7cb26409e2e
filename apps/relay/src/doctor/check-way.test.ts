import { afterEach, expect, it, vi } from 'vitest';
import { checkPlainPort } from './check-way.ts';

afterEach(() => void vi.unstubAllGlobals());

const way = { publicUrl: 'https://relay.example', port: 3000, withinMs: 10_000 };

/** What answers plain http at the host of `publicUrl`. */
function stubHost(answer: () => Promise<Response>) {
  const fetch = vi.fn<(url: string) => Promise<Response>>(answer);
  vi.stubGlobal('fetch', fetch);
  return fetch;
}
const answering = (body: unknown) => () => Promise.resolve(Response.json(body));

it('a PORT that answers as a relay past the balancer of https is told', async () => {
  const fetch = stubHost(answering({ instanceId: 'a' }));
  expect(await checkPlainPort(way)).toEqual([
    expect.objectContaining({
      state: 'warning',
      check: 'plain port',
      detail: expect.stringContaining('http://relay.example:3000 answers') as string,
      cure: expect.stringContaining('Close PORT') as string,
    }),
  ]);
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(['http://relay.example:3000/api/status']);
});

it.each([
  ['nothing', () => Promise.reject(new TypeError('fetch failed'))],
  ['something else', answering({ status: 'ok' })],
  ['no object', answering(null)],
  ['a bare word', answering('relay')],
])('a PORT at which %s answers is none of ours', async (_name, answer) => {
  stubHost(answer);
  expect(await checkPlainPort(way)).toEqual([]);
});

it.each(['http://relay.example', 'https://localhost:3443', 'https://127.0.0.1'])(
  '%s is not looked behind',
  async (publicUrl) => {
    const fetch = stubHost(answering({ instanceId: 'a' }));
    expect(await checkPlainPort({ ...way, publicUrl })).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  },
);
