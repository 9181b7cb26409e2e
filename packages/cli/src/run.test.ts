import { operations } from '@tabletop-relay/contract';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { listen, seen, stopListening } from '../../sdk/test/answers.ts';
import type { Answer } from '../../sdk/test/answers.ts';
import { makeFolder, runCli } from '../test/run-cli.ts';
import { channels, groups } from './generated/commands.ts';
import { commands } from './commands/index.ts';

afterEach(stopListening);

const key = 'trk_0123456789abcdefghijklmnopqrstuvwxyzABCD';
const noNetwork = () => expect.fail('something was asked of a relay');

async function envWith(...answers: Answer[]) {
  return { TABLETOP_URL: await listen(...answers), TABLETOP_KEY: key };
}

const problem = (code: string, status: number, fields: object = {}): Answer => ({
  status,
  body: { type: 'about:blank', title: code, status, code, detail: 'Why.', retryable: false, ...fields },
});

const rolls = ['sys5e', 'skill-check', '--actor-uuid', 'Actor.mira', '--skill', 'prc'];

describe('help', () => {
  const lines = [
    [],
    ['--help'],
    ['help'],
    ...Object.keys(commands).map((name) => [name, '--help']),
    ...Object.keys(channels).map((name) => ['listen', name, '--help']),
    ...Object.keys(groups).map((name) => [name]),
    ...operations.map(({ group, name }) => [group, name, '--help']),
  ];

  it.each(lines.map((line) => [line.join(' '), line] as const))(
    'of "tabletop %s" asks nothing of a relay, and needs no key',
    async (_text, line) => {
      const { code, stdout, stderr } = await runCli(line, { fetch: noNetwork });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: tabletop/m);
    },
  );

  it('of an operation names each flag, and what is needed', async () => {
    const { stdout } = await runCli(['sys5e', 'skill-check', '--help']);
    expect(stdout).toMatch(/--actor-uuid <text> +Needed\. Actor UUID/);
    expect(stdout).toMatch(/--\[no-\]create-chat-message +Post the roll/);
    expect(stdout).toContain('Scope roll:execute.');
    const removal = await runCli(['chat', 'chat-flush', '--help']);
    expect(removal.stdout).toContain('--yes');
  });
});

it('no flag of an operation or a channel is also one of our own, and no group a command', () => {
  const own = new Set([
    'world',
    'as',
    'yes',
    'output',
    'idempotency-key',
    'profile',
    'timeout',
    'retries',
    'json',
    'debug',
    'help',
    'from',
    'state',
    'until',
    'forward-to',
    'secret-file',
  ]);
  const named = [
    ...Object.values(groups).flatMap(({ operations }) => Object.values(operations())),
    ...Object.values(channels),
  ].flatMap(({ flags }) => flags.map(({ flag }) => flag));
  expect(named.filter((flag) => own.has(flag))).toEqual([]);
  expect(Object.keys(groups).filter((name) => Object.hasOwn(commands, name))).toEqual([]);
});

describe('a command line', () => {
  it.each([
    ['an unknown command', ['fly'], 'There is no command "fly"'],
    ['an operation without its group', ['skill-check'], 'Did you mean: tabletop sys5e skill-check?'],
    ['an operation of another group', ['chat', 'skill-check'], 'Did you mean: tabletop sys5e skill-check?'],
    ['an unknown flag', [...rolls, '--luck'], "Unknown option '--luck'. See --help."],
    ['a missing flag', ['sys5e', 'skill-check', '--skill', 'prc'], '--actor-uuid must be given'],
    ['a number that is none', ['scenes', 'scene-screenshot', '--width', 'wide'], '--width takes a number'],
    ['JSON that is none', ['entities', 'update', '--uuid', 'Actor.a', '--data', '{a}'], '--data takes JSON'],
    ['a flag and its contrary', [...rolls, '--advantage', '--no-advantage'], 'contradict each other'],
    ['too much', [...rolls, 'now'], 'Unexpected argument "now"'],
    ['a call of nothing', ['call'], 'Usage: tabletop call'],
    ['a call of an unknown operation', ['call', 'fly'], 'There is no operation "fly"'],
    ['a call with a list', ['call', 'skill-check', '[1]'], 'one JSON object'],
    ['an unknown channel', ['listen', 'tea'], 'hooks|combat'],
    [
      'a secret in sight',
      ['users', 'create-user', '--name', 'Eve', '--password', 'open'],
      '--password is a secret',
    ],
    [
      'a secret in sight, as JSON',
      ['call', 'create-user', '{"name":"Eve","password":"open"}'],
      'password is a secret',
    ],
    ['a key for what only reads', ['call', 'players', '{}', '--idempotency-key', 'a'], 'is for commands'],
    ['what destroys', ['chat', 'chat-flush'], 'Add --yes to do it'],
    ['a file that is not here', ['upload', '/nowhere/a.png'], '/nowhere/a.png cannot be read: ENOENT'],
    ['an empty part of a path', ['macros', 'macro-execute', '--uuid', '', '--yes'], 'stands in the path'],
    ['no address', ['login', 'relay.example'], 'is no address of a relay'],
    ['forwarding without a secret', ['listen', 'rolls', '--forward-to', 'http://localhost'], 'go together'],
  ])('with %s ends with 2 and says why, and nothing is asked', async (_what, line, says) => {
    const env = { TABLETOP_URL: 'http://127.0.0.1:9', TABLETOP_KEY: key };
    const { code, stdout, stderr } = await runCli(line, { env, fetch: noNetwork });
    expect([code, stdout]).toEqual([2, '']);
    expect((JSON.parse(stderr) as { detail: string }).detail).toContain(says);
  });

  it('with a key in it is refused, and the key is not repeated', async () => {
    for (const line of [
      [...rolls, '--bonus', key],
      ['login', `http://${key}@localhost`],
      ['call', 'roll', `{"a":"${key}"}`],
    ]) {
      const { code, stdout, stderr } = await runCli(line, { fetch: noNetwork });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('A key stands on the command line');
      expect(stderr).not.toContain(key);
    }
  });

  it('is read as it was meant: names as in the reference, lists, contraries, JSON of files', async () => {
    const env = await envWith({ body: { type: 'x-result' } });
    const folder = makeFolder();
    writeFileSync(path.join(folder, 'data.json'), '{"name":"Bo"}');
    const ask = async (...line: string[]) => {
      const { code, stderr } = await runCli(line, { env, input: 'hidden\n' });
      expect([code, stderr]).toEqual([0, '']);
      return seen.at(-1);
    };
    const check = await ask(
      'sys5e',
      'skill-check',
      '--actorUuid=Actor.mira',
      '--skill',
      'prc',
      '--no-create-chat-message',
      '--as',
      'Ben',
      '--world',
      'w1',
    );
    expect(check?.body).toEqual({
      actorUuid: 'Actor.mira',
      skill: 'prc',
      createChatMessage: false,
      userId: 'Ben',
    });
    expect(check?.query).toEqual({ clientId: 'w1' });
    expect(check?.headers['x-api-key']).toBe(key);
    expect(check?.headers['user-agent']).toMatch(/^tabletop\/\d/);
    expect((await ask('utility', 'select', '--uuids', 'a,b', '--uuids', 'c'))?.body).toEqual({
      uuids: ['a', 'b', 'c'],
    });
    expect(
      (await ask('chat', 'chat-send', '--content', '@Mira hi', '--whisper', 'Ann, GM', '--chat-type', '4'))
        ?.body,
    ).toEqual({ content: '@Mira hi', whisper: ['Ann, GM'], chatType: 4 });
    expect(
      (await ask('entities', 'update', '--uuid', 'Actor.a', '--data', `@${folder}/data.json`))?.body,
    ).toEqual({ data: { name: 'Bo' }, uuid: 'Actor.a' });
    expect((await ask('users', 'create-user', '--name', 'Eve', '--password', '@-'))?.body).toEqual({
      name: 'Eve',
      password: 'hidden',
    });
    expect((await ask('structure', 'search', '--query', 'a', '--filter', '{"type":"npc"}'))?.query).toEqual({
      query: 'a',
      filter: '{"type":"npc"}',
    });
    expect((await ask(...rolls, '--idempotency-key', 'mine'))?.headers['idempotency-key']).toBe('mine');
  });
});

describe('the code at the end', () => {
  it.each([
    ['3 where the world refused', 3, problem('operation_failed', 422, { reason: 'entity_not_found' })],
    ['4 for a key that is none', 4, problem('key_invalid', 401)],
    ['4 for a scope that is missing', 4, problem('scope_missing', 403, { scope: 'roll:execute' })],
    ['5 where it was not sent', 5, problem('client_offline', 404, { outcome: 'not_sent' })],
    ['5 where a person has paused', 5, problem('paused', 403, { outcome: 'not_sent' })],
    ['5 where there are too many', 5, problem('rate_limited', 429, { retryable: true, outcome: 'not_sent' })],
    ['6 where it may have happened', 6, problem('client_timeout', 504, { outcome: 'unknown' })],
    ['6 where the connection was cut', 6, { hangUp: true }],
    ['2 where the relay refuses what was given', 2, problem('invalid_request', 400)],
    ['1 for a fault of the relay', 1, problem('internal', 500)],
  ])('is %s', async (_what, code, given) => {
    const ran = await runCli(rolls, { env: await envWith(given) });
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    const told = JSON.parse(ran.stderr) as { code: string };
    expect(told).toMatchObject('hangUp' in given ? { outcome: 'unknown' } : { ...(given.body as object) });
    expect(ran.stderr).not.toContain(key);
  });

  it('is 5 where nobody listens, and 5 where what only reads was cut: it changed nothing', async () => {
    const env = await envWith();
    await stopListening();
    expect((await runCli(rolls, { env })).code).toBe(5);
    expect((await runCli(['utility', 'players'], { env: await envWith({ hangUp: true }) })).code).toBe(5);
  });

  it('is 130 when the person ends it', async () => {
    const signal = AbortSignal.timeout(50);
    const ran = await runCli(rolls, { env: await envWith({ silent: true }), signal });
    expect(ran).toMatchObject({ code: 130, stdout: '', stderr: '' });
  });

  it('is 0 once a repeat was answered', async () => {
    const busy = {
      ...problem('overloaded', 503, { retryable: true, outcome: 'not_sent' }),
      headers: { 'retry-after': '0' },
    };
    const env = await envWith(busy, { body: { type: 'x-result' } });
    expect((await runCli([...rolls, '--retries', '1'], { env })).code).toBe(0);
  });
});

describe('on a terminal', () => {
  it('answers stand in columns, and nothing of a world moves the cursor', async () => {
    const body = {
      type: 'x-result',
      data: [
        { id: 'a', name: 'M\u001b[31mira\u202e' },
        { id: 'bb', name: null },
      ],
    };
    const env = await envWith({ body });
    const { stdout } = await runCli(rolls, { env, isTerminal: true });
    expect(stdout).toBe('type  x-result\ndata\n  id  name\n  a   M�[31mira�\n  bb  -\n');
    const asJson = await runCli([...rolls, '--json'], { env, isTerminal: true });
    expect(JSON.parse(asJson.stdout)).toEqual(body);
    expect(asJson.stdout).not.toMatch(/[\p{Cc}\u202e]\P{Cc}/u);
  });

  it('a failure is told in words, with what to do', async () => {
    const candidates = [{ clientId: 'w1', worldTitle: 'Chapel' }];
    const env = await envWith(problem('client_required', 400, { candidates }));
    const { stderr } = await runCli(rolls, { env, isTerminal: true });
    expect(stderr).toBe('tabletop: client_required: Why.\n  --world w1  Chapel\n');
    const lost = await envWith(problem('client_lost', 502, { outcome: 'unknown' }));
    expect((await runCli(rolls, { env: lost, isTerminal: true })).stderr).toContain('It may have happened');
  });

  it.each([
    ['y', 0],
    ['n', 2],
    ['', 2],
  ])('what destroys asks, and %j ends with %i', async (said, code) => {
    const env = await envWith({ body: { type: 'x-result' } });
    const ran = await runCli(['chat', 'chat-flush'], { env, isTerminal: true, input: `${said}\n` });
    expect(ran.code).toBe(code);
    expect(seen).toHaveLength(code === 0 ? 1 : 0);
  });

  it('a file is not poured over it', async () => {
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
    const env = await envWith({ headers, body: 'PNG' });
    const line = ['scenes', 'scene-screenshot'];
    const ran = await runCli(line, { env, isTerminal: true });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect((await runCli(line, { env })).stdout).toBe('PNG');
  });
});

test('a download never takes the place of a file that nobody named, whatever the world calls it', async () => {
  const headers = {
    'content-type': 'text/plain',
    'content-disposition': 'attachment; filename="../../evil.txt"',
  };
  const env = await envWith({ headers, body: 'text' });
  const folder = makeFolder();
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect((await runCli(['download', 'handouts/rules.txt'], { env })).code).toBe(0);
    expect(readFileSync(path.join(folder, 'rules.txt'), 'utf8')).toBe('text');
    const again = await runCli(['download', 'handouts/rules.txt'], { env });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('it is there already')]);
  } finally {
    process.chdir(before);
  }
});

describe('a profile', () => {
  const login = async (config: string, url: string, ...more: string[]) =>
    await runCli(['login', url, '--with-key', ...more], {
      env: { XDG_CONFIG_HOME: config },
      input: `${key}\n`,
    });
  const fileIn = (config: string) => path.join(config, 'tabletop-relay/profiles.json');
  const clients = { body: { clients: [], total: 0 } };

  it('is kept where only its owner reads it, and others’ rights to it are a reason to stop', async () => {
    const config = makeFolder();
    const ran = await login(config, await listen(clients));
    expect([ran.code, ran.stdout.includes(key), ran.stderr.includes(key)]).toEqual([0, false, false]);
    const file = fileIn(config);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    chmodSync(file, 0o644);
    const refused = await runCli(['worlds'], { env: { XDG_CONFIG_HOME: config }, fetch: noNetwork });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
  });

  it('is not kept where the relay does not take the key', async () => {
    const config = makeFolder();
    expect((await login(config, await listen(problem('key_invalid', 401)))).code).toBe(4);
    const worlds = await runCli(['worlds'], { env: { XDG_CONFIG_HOME: config } });
    expect([worlds.code, worlds.stderr]).toEqual([2, expect.stringContaining('Nobody is logged in')]);
  });

  it('is asked for nothing where none could be kept', async () => {
    const config = path.join(makeFolder(), 'a-file');
    writeFileSync(config, '');
    const ran = await runCli(['login', 'http://127.0.0.1:9'], {
      env: { XDG_CONFIG_HOME: config },
      fetch: noNetwork,
    });
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining(`written in ${config}/tabletop-relay (`),
    ]);
  });

  it('sends its key to no other relay', async () => {
    const config = makeFolder();
    await login(config, await listen(clients));
    for (const env of [
      { XDG_CONFIG_HOME: config, TABLETOP_URL: 'http://127.0.0.1:9' },
      { XDG_CONFIG_HOME: config, TABLETOP_KEY: 'trk_other' },
    ]) {
      const ran = await runCli(['worlds'], { env, fetch: noNetwork });
      expect(ran.code).toBe(2);
    }
  });

  it('is chosen by its name, told by status and forgotten by logout', async () => {
    const config = makeFolder();
    const url = await listen(clients);
    await login(config, url, '--profile', 'home');
    await login(config, url, '--profile', 'away');
    const env = { XDG_CONFIG_HOME: config };
    const body = { ...clients.body, version: '9.9.9' };
    await stopListening();
    const other = await listen({ body });
    const text = readFileSync(fileIn(config), 'utf8');
    writeFileSync(fileIn(config), text.replaceAll(url, other));
    const status = await runCli(['status'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({
      profile: 'away',
      key: 'accepted',
      relayVersion: '9.9.9',
      profiles: [
        { profile: 'home', current: false },
        { profile: 'away', current: true },
      ],
    });
    expect(status.stdout).not.toContain(key);
    expect((await runCli(['logout'], { env })).code).toBe(0);
    expect(readFileSync(fileIn(config), 'utf8')).not.toContain('away');
    expect((await runCli(['worlds', '--profile', 'away'], { env })).code).toBe(2);
    expect((await runCli(['worlds', '--profile', 'home'], { env })).code).toBe(0);
  });

  it('that is damaged is named, and nothing of it is printed', async () => {
    const config = makeFolder();
    mkdirSync(path.dirname(fileIn(config)), { recursive: true });
    writeFileSync(fileIn(config), `{"profiles": ${key}`, { mode: 0o600 });
    const ran = await runCli(['worlds'], { env: { XDG_CONFIG_HOME: config } });
    expect([ran.code, ran.stderr.includes(key)]).toEqual([2, false]);
    expect(ran.stderr).toContain('is damaged');
  });
});

test('--debug tells of each request, without key, code and what was written', async () => {
  const env = await envWith({ body: { type: 'x-result' }, headers: { 'x-request-id': 'r1' } });
  const { stderr } = await runCli(['structure', 'search', '--query', 'a secret word', '--debug'], { env });
  expect(stderr).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/search 200 \d+ ms x-request-id r1\n$/);
});
