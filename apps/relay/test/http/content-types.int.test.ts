import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../problem.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import { goodCheck, startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

async function post(
  path: string,
  type: string | undefined,
  body?: BodyInit,
  more: Record<string, string> = {},
): Promise<Answer> {
  // A Blob without a type, or `fetch` would name one.
  const sent = typeof body === 'string' ? new Blob([body]) : body;
  const answer = await fetch(
    `${relay.url}${path}${path.includes('?') ? '&' : '?'}clientId=${relay.pairing.clientId}`,
    {
      method: 'POST',
      headers: { 'x-api-key': relay.key, ...(type === undefined ? {} : { 'content-type': type }), ...more },
      ...(sent === undefined ? {} : { body: sent }),
    },
  );
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

const check = JSON.stringify(goodCheck);
const expectBad = (answer: Answer, detail: RegExp) =>
  expectProblem(relay.cluster, answer, { code: 'invalid_request', outcome: 'not_sent', detail });

describe('a body', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'image/png',
    'x',
    'multipart/form-data',
    'application/json; charset=latin1',
  ])('that is empty has no type that matters: %s', async (type) => {
    expect((await post('/next-turn', type)).status).toBe(200);
  });

  it.each([
    undefined,
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'text/html',
    'application/json; charset="utf-8"',
  ])('of type %s that is a JSON object is read as JSON', async (type) => {
    expect((await post('/sys5e/skill-check', type, check)).status).toBe(200);
    expect((await post('/sys5e/skill-check', type, `\n ${check}`)).status).toBe(200);
    expectBad(await post('/sys5e/skill-check', type, '{"actorUuid":'), /valid JSON/);
  });

  it.each([
    ['text/plain', 'actorUuid=Actor.mira'],
    ['application/x-www-form-urlencoded', 'actorUuid=Actor.mira&skill=prc'],
    ['text/plain', `[${check}]`],
    ['image/png', check],
    ['application/xml', check],
    ['multipart/form-data; boundary=x', check],
  ])('of type %s that is none is refused: %s', async (type, body) => {
    const answer = await post('/sys5e/skill-check', type, body);
    expectProblem(relay.cluster, answer, { code: 'unsupported_media_type', outcome: 'not_sent' });
  });

  it('of an account route is JSON alone', async () => {
    const answer = await post('/auth/login', 'text/plain', '{"email":"a@b.example","password":"x"}');
    expectProblem(relay.cluster, answer, { code: 'unsupported_media_type' });
  });

  it.each(['application/json', 'text/plain', undefined])(
    'of type %s that is no UTF-8 is refused',
    async (type) => {
      const latin1 = Buffer.from(JSON.stringify({ ...goodCheck, bonus: 'caf\u00E9' }), 'latin1');
      expectBad(await post('/sys5e/skill-check', type, new Blob([latin1])), /UTF-8/);
      expectBad(
        await post('/chat', type, new Blob([Buffer.from('eyJjb250ZW50IjoiY2Fm6SJ9', 'base64')])),
        /UTF-8/,
      );
      expect(
        (await post('/sys5e/skill-check', type, new Blob([Buffer.from(check, 'utf16le')]))).status,
      ).not.toBe(200);
    },
  );

  it.each(['latin1', 'ISO-8859-1', '"utf-16"', 'windows-1252'])(
    'of charset %s is refused, in letters or not',
    async (charset) => {
      expectBad(
        await post('/sys5e/skill-check', `application/json; charset=${charset}`, check),
        /charset.*UTF-8/,
      );
    },
  );

  it.each(['gzip', 'br', 'deflate, gzip', 'x'])('encoded as %s is never unpacked', async (encoding) => {
    for (const path of ['/chat', '/upload?path=a&filename=b.txt', '/auth/login']) {
      const answer = await post(path, 'application/json', new Blob([gzipSync('{"content":"a"}')]), {
        'content-encoding': encoding,
      });
      expectProblem(relay.cluster, answer, {
        code: 'unsupported_media_type',
        detail: /Content-Encoding/,
        ...(path.startsWith('/auth') ? {} : { outcome: 'not_sent' }),
      });
    }
  });

  // Node takes the chunks apart and hands on what is packed within them.
  it.each(['gzip, chunked', 'gzip,deflate, chunked'])('sent as %s is refused as well', async (transfer) => {
    for (const path of ['/chat', '/upload?path=a&filename=b.txt', '/auth/login']) {
      const connection = openRaw(relay.url);
      const head = { 'x-api-key': relay.key, 'transfer-encoding': transfer, connection: 'close' };
      connection.socket.write(`${headOf('POST', path, head)}2\r\n{}\r\n0\r\n\r\n`);
      expect([path, await connection.status()]).toEqual([path, 415]);
      await connection.closed;
      expect(connection.received()).toContain('another `Transfer-Encoding` than `chunked`');
    }
  });

  it('without an encoding may say so', async () => {
    expect(
      (await post('/sys5e/skill-check', 'application/json', check, { 'content-encoding': 'identity' }))
        .status,
    ).toBe(200);
  });

  it.each([
    '{"actorUuid":"Actor.mira","skill":"prc","__proto__":{"a":1}}',
    '{"actorUuid":"Actor.mira","skill":"prc","constructor":{"prototype":{"a":1}}}',
    '{"actorUuid":"Actor.mira","skill":"prc","\\u005f_proto__":1}',
  ])('with %s is refused as what it is', async (body) => {
    const answer = await post('/sys5e/skill-check', 'application/json', body);
    expectBad(answer, /__proto__/);
    expect(String(answer.body['detail'])).not.toContain('valid JSON');
  });
});

describe('a file', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'image/png'])(
    'of type %s is a file also where it is a JSON object',
    async (type) => {
      const answer = await post(`/upload?path=&filename=${type.slice(0, 4)}.txt`, type, '{"a":1}');
      expect(answer).toMatchObject({ status: 200, body: { type: 'upload-file-result' } });
    },
  );

  const form = (part: string, bytes = 'AAAA') =>
    new Blob([
      `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n${part}\r\n${bytes}\r\n--x--\r\n`,
    ]);

  it.each(['base64', 'quoted-printable', 'x-uuencode'])(
    'in a part that is encoded as %s is never stored so',
    async (encoding) => {
      const answer = await post(
        '/upload?path=&filename=enc.txt',
        'multipart/form-data; boundary=x',
        form(`Content-Transfer-Encoding: ${encoding}\r\n`),
      );
      expectProblem(relay.cluster, answer, {
        code: 'unsupported_media_type',
        outcome: 'not_sent',
        detail: /Content-Transfer-Encoding/,
      });
    },
  );

  it.each(['binary', '8bit', '7BIT'])('in a part that says %s is taken', async (encoding) => {
    const answer = await post(
      `/upload?path=&filename=${encoding}.txt`,
      'multipart/form-data; boundary=x',
      form(`Content-Transfer-Encoding: ${encoding}\r\n`),
    );
    expect(answer.status).toBe(200);
  });

  it('in a form whose fields are no UTF-8 is refused', async () => {
    const field = Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="path"\r\n\r\ncaf\u00E9\r\n',
      'latin1',
    );
    expectBad(
      await post('/upload?filename=a.txt', 'multipart/form-data; boundary=x', new Blob([field, form('')])),
      /UTF-8/,
    );
  });
});

describe('a query', () => {
  it.each(['caf%E9', '%', '100%', '%zz', '%C3'])(
    'with %s is refused, and the answer names the cure',
    async (value) => {
      const paths = ['/search?query=', '/players?userId=', '/rolls/subscribe?clientId=', '/clients?a='];
      for (const path of [...paths, '/auth/key-request/x/status?a=']) {
        const answer = await fetch(`${relay.url}${path}${value}`, { headers: { 'x-api-key': relay.key } });
        const body = (await answer.json()) as Record<string, unknown>;
        expect([path, answer.status]).toEqual([path, 400]);
        expect(body['detail']).toMatch(/percent-encoding.*%25/);
      }
    },
  );

  it.each(['caf%C3%A9', '100%25', '+', '%20'])('with %s is fine', async (value) => {
    const answer = await fetch(`${relay.url}/search?clientId=${relay.pairing.clientId}&query=${value}`, {
      headers: { 'x-api-key': relay.key },
    });
    expect(answer.status).toBe(200);
  });

  it('of a page is nobody’s matter', async () => {
    expect((await fetch(`${relay.url}/docs?utm=caf%E9`)).status).toBe(200);
  });
});
