import { operations } from '@tabletop-relay/contract';
import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { codeOf } from './api-call.ts';
import type { ApiCall } from './api-call.ts';
import { startForm, readForm } from '../form/call-form.ts';
import { asCurl, asPython, asTypeScript } from './code.ts';

const access = { origin: 'https://relay.example', apiKey: 'trk_key' };

function exampleOf(name: string, changes: Partial<ApiCall> = {}): ApiCall {
  const operation = operations.find((one) => one.name === name);
  const form = startForm(operation, operation?.example.parameters);
  return { operation: form.operation, clientId: 'c1', ...readForm(form), ...changes };
}

/** The arguments that a POSIX shell hands to `curl`. */
function argumentsOf(line: string): string[] {
  const script = line.replace(/^curl/, `printf '%s\\0'`);
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** What the TypeScript asks of the SDK. */
async function callsOf(code: string): Promise<{ options: unknown; call: unknown[] }> {
  const made: { options: unknown; call: unknown[] }[] = [];
  const createRelay = (options: unknown) =>
    new Proxy(
      {},
      {
        get: (_, group) =>
          new Proxy(
            {},
            {
              get:
                (__, method) =>
                (...given: unknown[]) =>
                  made.push({ options, call: [`${String(group)}.${String(method)}`, ...given] }),
            },
          ),
      },
    );
  const body = stripTypeScriptTypes(code.replace(/^import .*$/m, '').replace('console.log(answer);', ''));
  await runInNewContext(`(async () => {${body}})()`, { createRelay });
  const [first] = made;
  if (!first) throw new Error('nothing was called');
  return first;
}

test('the curl line posts the parameters as JSON, and the world in the query', () => {
  expect(argumentsOf(asCurl(codeOf(exampleOf('skill-check')), access))).toEqual([
    '-X',
    'POST',
    'https://relay.example/sys5e/skill-check?clientId=c1',
    '-H',
    'x-api-key: trk_key',
    '-H',
    'content-type: application/json',
    '-d',
    '{"actorUuid":"Actor.mira","skill":"prc"}',
  ]);
});

test('the code of a call that answers with a file reads its bytes, and that of another its JSON', () => {
  const filed = codeOf(exampleOf('download-file'));
  expect(asCurl(filed, access)).toMatch(/^curl -OJ /);
  expect(asPython(filed, access)).toMatch(/\nprint\(file\.name, file\.type, len\(file\.bytes\)\)$/);
  const told = codeOf(exampleOf('skill-check'));
  expect(asCurl(told, access)).toMatch(/^curl -X POST /);
  expect(asPython(told, access)).toMatch(/\nprint\(answer\)$/);
});

test('a query is a GET with all it asks in the address', () => {
  expect(argumentsOf(asCurl(codeOf(exampleOf('players', { userId: 'Ada & Bo' })), access))).toEqual([
    'https://relay.example/players?clientId=c1&userId=Ada+%26+Bo',
    '-H',
    'x-api-key: trk_key',
  ]);
});

test('what a person types never ends the quotes of a shell line', () => {
  const parameters = { actorUuid: `it's "$(reboot)" \`x\` \\`, skill: 'prc' };
  const given = argumentsOf(asCurl(codeOf(exampleOf('skill-check', { parameters })), access));
  expect(JSON.parse(given.at(-1) ?? '')).toEqual(parameters);
});

test('the TypeScript calls the SDK’s method with the same parameters, whatever is in them', async () => {
  const parameters = {
    actorUuid: `it's "so" \\ \n 'x'`,
    'dotted.path': [1, true, null],
    currency: { gp: 5 },
  };
  const code = asTypeScript(codeOf(exampleOf('skill-check', { parameters, userId: 'ada' })), access);
  expect(await callsOf(code)).toEqual({
    options: { url: 'https://relay.example', apiKey: 'trk_key', clientId: 'c1' },
    call: ['sys5e.skillCheck', parameters, { userId: 'ada' }],
  });
});

test.each(operations.map(({ name }) => [name]))('the example of %s is valid in TypeScript', async (name) => {
  const call = exampleOf(name);
  const made = await callsOf(asTypeScript(codeOf(call), access));
  expect(made.call[0]).toBe(`${call.operation.group}.${call.operation.sdkName}`);
  expect(made.call[1] ?? {}).toEqual(call.parameters);
});

test('the Python calls the SDK’s method in Python’s words and spelling', () => {
  const parameters = { a: true, rollNPC: false, actorUuid: null, d: 'it\'s "x"', e: [1.5, { fGh: true }] };
  expect(asPython(codeOf(exampleOf('skill-check', { parameters, userId: 'ada' })), access)).toBe(
    `from tabletop_relay import Relay

relay = Relay(
    "https://relay.example",
    "trk_key",
    client_id="c1",
)
answer = relay.sys5e.skill_check(
    a=True,
    roll_npc=False,
    actor_uuid=None,
    d="it's \\"x\\"",
    e=[1.5, {"fGh": True}],
    user_id="ada",
)
print(answer)`,
  );
});

const events = { method: 'GET', path: '/events', body: undefined, answers: 'events' } as const;

test('the Python follows a stream by the SDK, and without one asks for nothing that it does not need', () => {
  const sdk = { method: 'events.combat', clientId: 'c1', parameters: {} };
  expect(asPython({ ...events, credential: 'apiKey', sdk }, access)).toMatch(
    /\nfor event in relay\.events\.combat\(\):\n {4}print\(event\)$/,
  );
  expect(asPython({ ...events, credential: 'none' }, access)).toBe(`import httpx2

with httpx2.stream(
    "GET",
    "https://relay.example/events",
    timeout=40,
) as response:
    for line in response.iter_lines():
        print(line)`);
});

test('the Python of a dashboard’s call has its session, and of a file its bytes', () => {
  const call = {
    method: 'GET',
    path: '/file?name=a',
    body: undefined,
    answers: 'file',
    credential: 'session',
  } as const;
  const code = asPython(call, access);
  expect(code).toContain(
    '    params={"name": "a"},\n    headers={"authorization": "Bearer trk_key"},\n    timeout=30,\n',
  );
  expect(code).toMatch(/print\(len\(response\.content\)\)$/);
});

test('the TypeScript quotes the names that need it, and no others', () => {
  const parameters = { plain: 1, $dollar: 2, _under9: 3, '9nine': 4, 'dotted.path': 5, 'a b': 6 };
  const code = asTypeScript(codeOf(exampleOf('skill-check', { parameters })), access);
  for (const line of [
    'plain: 1,',
    '$dollar: 2,',
    '_under9: 3,',
    "'9nine': 4,",
    "'dotted.path': 5,",
    "'a b': 6,",
  ])
    expect(code).toContain(`  ${line}\n`);
});

test('a part of the path that is not filled in stands there by its name', () => {
  const call = exampleOf(operations.find(({ path }) => path.includes('/:'))?.name ?? '');
  const { path } = codeOf({ ...call, parameters: {} });
  expect(decodeURIComponent(path)).toMatch(/<\w+>/);
  expect(decodeURIComponent(codeOf(call).path)).not.toContain('<');
});
