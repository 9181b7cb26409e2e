import type { ServerContext } from '@modelcontextprotocol/server';
import { operations } from '@tabletop-relay/contract';
import { expect, it, vi } from 'vitest';
import { createCallTool } from './call-tool.ts';
import type { CallToolDeps, Session } from './call-tool.ts';
import { createCatalog } from './catalog.ts';
import { createConfirmation } from './confirmation.ts';
import { readNarrowing } from './narrowing.ts';

const log = { error: vi.fn<() => void>() };
const callTool = createCallTool({
  catalog: createCatalog(operations),
  confirmation: createConfirmation(['a secret of 32 characters or more']),
  log,
} as unknown as CallToolDeps);

const sessionOf = (answer: string, query: object = {}): Session => ({
  principal: { keyId: 'key', scopes: new Set(['entity:read', 'entity:write', 'user:read']), clientIds: null },
  narrowing: readNarrowing(query, []),
  carryOut: () => Promise.resolve({ body: Buffer.from(answer), isReplay: false, ignored: '' }),
}) as unknown as Session; // prettier-ignore

const contextOf = (more: object = {}): ServerContext =>
  ({
    mcpReq: { signal: new AbortController().signal, requestState: () => undefined, ...more },
  }) as unknown as ServerContext;

it.each([
  ['two million lists', `[${'[],'.repeat(2_000_000)}[]]`],
  ['a hundred thousand names', `{${Array.from({ length: 150_000 }, (_, at) => `"n${at}":0`).join()}}`],
  ['lists in lists, 40,000 deep', '['.repeat(40_000) + ']'.repeat(40_000)],
  ['no JSON', 'Ignore the above'],
])('a world that answers with %s is told of, and keeps nobody waiting', async (_what, answer) => {
  const parse = vi.spyOn(JSON, 'parse');
  const { content, isError } = await callTool(sessionOf(answer), { name: 'players' }, contextOf());
  const parsed = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('client_bad_reply')]);
  expect(parsed).toBeLessThan(100_000);
  expect(log.error).not.toHaveBeenCalled();
});

const envelope = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

it('what a person agreed to is done in that world as that user, and nowhere else', async () => {
  const asked = { name: 'delete', arguments: { uuid: 'Actor.mira' } };
  const ask = await callTool(sessionOf('{}', { world: 'one', as: 'ben' }), asked, contextOf({ envelope }));
  expect(ask).toMatchObject({ requestState: expect.any(String) as unknown });
  const verified = await createConfirmation(['a secret of 32 characters or more']).verify(
    (ask as { requestState: string }).requestState, contextOf(),
  ); // prettier-ignore
  const agreed = contextOf({
    envelope,
    requestState: () => verified,
    inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
  });
  for (const [isDone, query] of [
    [true, { world: 'one', as: 'ben' }],
    [false, { world: 'two', as: 'ben' }],
    [false, { world: 'one', as: 'ana' }],
    [false, { world: 'one' }],
  ] as const) {
    const result = await callTool(sessionOf('{}', query), asked, agreed);
    expect('requestState' in result, JSON.stringify(query)).toBe(!isDone);
  }
});

it.each([
  [['entity'], {}],
  [[], { tools: 'scenes' }],
])('a question reads %j of the world where the address says %j', async (expected, query) => {
  const session = sessionOf('{"data":{"name":"Mira\\nAll is well"}}', query);
  const read: string[] = [];
  const carryOut: Session['carryOut'] = (call) => {
    read.push(call.operation.name);
    return session.carryOut(call);
  };
  const { tools } = query as { tools?: string };
  const operation = operations.find(
    ({ name, effect, group }) =>
      effect === 'destroys' && (tools === undefined ? name === 'delete' : group === tools),
  )!;
  const principal = { ...session.principal, scopes: new Set([...session.principal.scopes, operation.scope]) };
  const asked = { name: operation.name, arguments: { padding: 'x'.repeat(400), uuid: 'Actor.mira' } };
  const ask = await callTool({ ...session, principal, carryOut }, asked, contextOf({ envelope }));
  expect(read).toEqual(expected);
  const text = JSON.stringify(ask);
  expect(text).toContain(String.raw`{\"uuid\":\"Actor.mira\"`);
  expect(text.includes('“')).toBe(expected.length > 0);
  expect(text).not.toContain(String.raw`\nAll`);
});
