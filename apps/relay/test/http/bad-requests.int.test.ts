import { connectModule } from '@tabletop-relay/testing/scenes';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectProblem, send } from '../problem.ts';
import type { Expected } from '../problem.ts';
import { goodCheck, jsonHeaders, maxBodyBytes, startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

const fieldsOf = (body: Record<string, unknown>) =>
  (body['errors'] as { field: string; place?: string; message: string }[]).map(({ field }) => field).sort();

describe('a body', () => {
  const rows: [name: string, body: string, fields: string[]][] = [
    ['that is not JSON', '{"actorUuid":', ['body']],
    ['that is no text', '\u0000\u0001', ['body']],
    ['that is an array', '[{"actorUuid":"Actor.a","skill":"prc"}]', ['actorUuid', 'body', 'skill']],
    ['that is a string', '"Actor.a"', ['actorUuid', 'body', 'skill']],
    ['that is a number', '17', ['actorUuid', 'body', 'skill']],
    ['that is null', 'null', ['actorUuid', 'body', 'skill']],
    ['that is empty', '', ['actorUuid', 'skill']],
    ['with wrong types', '{"actorUuid":5,"skill":["prc"],"advantage":"yes"}', ['actorUuid', 'advantage', 'skill']],
    ['with an unknown enum value', '{"actorUuid":"Actor.a","skill":"cooking"}', ['skill']],
    ['with a misspelt parameter', '{"actorUuid":"Actor.a","skill":"prc","user_id":1}', ['user_id']],
    ['with __proto__', '{"actorUuid":"Actor.a","skill":"prc","__proto__":{"advantage":true}}', ['body']],
    ['with constructor.prototype', '{"actorUuid":"Actor.a","skill":"prc","constructor":{"prototype":{}}}', ['body']],
    ['with a parameter that all objects have', '{"actorUuid":"Actor.a","skill":"prc","toString":"x"}', ['toString']],
    ['with text that is too long', JSON.stringify({ ...goodCheck, bonus: 'x'.repeat(257) }), ['bonus']],
    ['with text that is empty', '{"actorUuid":"","skill":"prc"}', ['actorUuid']],
  ]; // prettier-ignore

  it.each(rows)('%s is refused and names each field', async (_name, body, fields) => {
    const answer = await relay.skillCheck({ body });
    expectProblem(relay.cluster, answer, { code: 'invalid_request', retryable: false, outcome: 'not_sent' });
    expect(fieldsOf(answer.body)).toEqual(fields);
    for (const field of fields) expect(answer.body['detail']).toContain(field);
  });

  it('above the limit is refused, declared or not', async () => {
    const body = JSON.stringify({ ...goodCheck, bonus: 'x'.repeat(maxBodyBytes) });
    const expected: Expected = { code: 'payload_too_large', outcome: 'not_sent' };
    expectProblem(relay.cluster, await relay.skillCheck({ body }), expected);
    const streamed = await fetch(`${relay.url}/sys5e/skill-check?clientId=${relay.pairing.clientId}`, {
      method: 'POST',
      headers: { ...jsonHeaders, 'x-api-key': relay.key },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    const answer = {
      status: streamed.status,
      headers: Object.fromEntries(streamed.headers),
      body: (await streamed.json()) as Record<string, unknown>,
    };
    expectProblem(relay.cluster, answer, expected);
  });

  // Text and forms are read where they are JSON: content-types.int.test.ts.
  it.each(['application/xml', 'multipart/form-data', 'x'])('of type %s is refused', async (type) => {
    const answer = await relay.skillCheck({ headers: { 'content-type': type } });
    expectProblem(relay.cluster, answer, { code: 'unsupported_media_type', outcome: 'not_sent' });
  });

  it.each(['/sys5e/skill-check', '/auth/login'])(
    'of %s that ends before its declared length harms nobody and is a refusal, not a fault of ours',
    async (path) => {
      const before = relay.cluster.logs.length;
      const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${relay.key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"actor',
      );
      await expect.poll(() => socket.bytesWritten).toBeGreaterThan(100);
      // A request that is hung up on before its headers were read leaves no line.
      await relay.skillCheck();
      socket.destroy();
      const lines = () => relay.cluster.logs.slice(before);
      await expect.poll(lines).toContainEqual(
        expect.objectContaining({
          msg: 'request refused',
          route: path,
          code: 'invalid_request',
          status: 400,
        }),
      );
      await relay.skillCheck();
      expect(lines().filter((line) => Number(line['level']) >= 40)).toEqual([]);
    },
  );

  it.each([
    ['is no HTTP', 'HELLO\r\n\r\n', /not HTTP/],
    [
      'has headers above 16 KiB',
      `GET /clients HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      /16 KiB/,
    ],
    [
      'has a length that is no number',
      'POST /clients HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
      /HTTP/,
    ],
  ])('of a request that %s gets a problem document, and one line is logged', async (_name, bytes, detail) => {
    const before = relay.cluster.logs.length;
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    socket.write(bytes);
    const answer = (await socket.setEncoding('latin1').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('content-type: application/problem+json');
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;
    expect(problem).toMatchObject({ code: 'invalid_request', status: 400, retryable: false });
    expect(problem['detail']).toMatch(detail);
    expect(problem['type']).toMatch(/\/errors\/invalid_request$/);
    expect(relay.cluster.logs.slice(before)).toEqual([
      expect.objectContaining({ msg: 'request refused', requestId: problem['traceId'], status: 400 }),
    ]);
  });

  it('of bytes behind a call that is under way is not answered in its place: the call’s answer goes out, then the connection ends', async () => {
    const paired = await relay.account.pair();
    const module = await connectModule(relay.url, paired);
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    socket.write(
      `GET /players?clientId=${paired.clientId} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${relay.key}\r\n\r\n`,
    );
    const { requestId } = await module.next('players');
    socket.write('HELLO\r\n\r\n');
    module.send({ type: 'players-result', requestId, users: [] });
    const text = (await socket.setEncoding('latin1').toArray()).join('');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await module.close();
  });

  it.each([
    ['h2c', '/livez', 200],
    ['websocket', '/livez', 200],
    ['websocket', '/clients', 401],
  ])('that asks for %s at %s is answered as if it had not', async (protocol, path, status) => {
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
    );
    expect((await socket.setEncoding('latin1').toArray()).join('')).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} `),
    );
  });

  // Node reads nothing of what came in one chunk with it. Were the connection kept, the next answer would be taken for that of a request
  // which it never read.
  it('that asks for another protocol is the last of its connection', async () => {
    const head = 'Host: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n';
    const next = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const refused = `POST /roll HTTP/1.1\r\n${head}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`;
    for (const first of [`GET /livez HTTP/1.1\r\n${head}\r\n`, refused]) {
      const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
      socket.write(first + next);
      const text = (await socket.setEncoding('latin1').toArray()).join('');
      expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    }
  });

  it('that is absent is fine where nothing is needed, with and without its content type', async () => {
    const path = `${relay.url}/next-turn?clientId=${relay.pairing.clientId}`;
    for (const headers of [jsonHeaders, {}]) {
      const answer = await send('POST', path, { headers: { ...headers, 'x-api-key': relay.key } });
      expect(answer.status).toBe(200);
    }
  });
});

describe('a query string', () => {
  it('with a parameter that belongs in the body is refused', async () => {
    const answer = await send('POST', `${relay.url}/select?clientId=${relay.pairing.clientId}&name=Mira`, {
      headers: { 'x-api-key': relay.key },
    });
    expectProblem(relay.cluster, answer, {
      code: 'invalid_request',
      outcome: 'not_sent',
      detail: /name .*body/,
    });
  });

  it('with unknown, unreadable and repeated parameters is refused and names each', async () => {
    const query = `clientId=${relay.pairing.clientId}&details=%5Bnot&details2=x&actorUuid=a&actorUuid=b&__proto__=x`;
    const answer = await send('GET', `${relay.url}/sys5e/get-actor-details?${query}`, {
      headers: { 'x-api-key': relay.key },
    });
    expectProblem(relay.cluster, answer, { code: 'invalid_request', outcome: 'not_sent' });
    expect(fieldsOf(answer.body)).toEqual(['__proto__', 'actorUuid', 'details', 'details2']);
  });

  it.each(['%', '%zz', '%ff', '%00'])('with %s is answered, and not by a fault', async (text) => {
    const answer = await send(
      'GET',
      `${relay.url}/players?clientId=${relay.pairing.clientId}&userId=${text}`,
      {
        headers: { 'x-api-key': relay.key },
      },
    );
    expect([200, 400]).toContain(answer.status);
  });
});
