import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function record(options: { scrub?: RegExp; pretty?: boolean; fields?: Record<string, string> } = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLogger({ level: 'info', name: 'test', destination, ...options }) };
}

test.each(['authorization', 'cookie', 'set-cookie', 'x-api-key', 'token', 'password', 'code'])(
  'the value of %s is printed at no depth down to the third',
  (field) => {
    const { lines, log } = record();
    log.info({ [field]: 'hush' });
    log.info({ body: { [field]: 'hush' } });
    log.info({ req: { headers: { [field]: 'hush' } } });
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('hush');
    expect(lines.join('').match(/\[redacted]/g)).toHaveLength(3);
  },
);

test('a secret is censored in lists, in what a child carries and in what an error carries', () => {
  const { lines, log } = record();
  log.child({ token: 'hush' }).info({ keys: [{ token: 'hush' }] });
  const error = Object.assign(new Error('failed'), { code: 'K7QF3M', request: { token: 'hush' } });
  log.error(error);
  log.error({ err: error, error, list: [Object.assign(new Error('inner'), { code: 'K7QF3M' })] });
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toMatch(/hush|K7QF3M/);
  expect(JSON.parse(lines[1]!)).toMatchObject({ err: { type: 'Error', message: 'failed' }, msg: 'failed' });
});

test('each line says which process wrote it', () => {
  const { lines, log } = record({ fields: { instance: 'relay-1', version: '1.2.3' } });
  log.info('a');
  log.child({ x: 1 }).warn('b');
  const own = { name: 'test', pid: process.pid, instance: 'relay-1', version: '1.2.3' };
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([own, own]);
});

test('what is logged stays as it was', () => {
  const { log } = record();
  const fields = { token: 'a', body: { password: 'b' }, list: [{ code: 'K7QF3M' }] };
  log.info(fields);
  expect(fields).toEqual({ token: 'a', body: { password: 'b' }, list: [{ code: 'K7QF3M' }] });
});

test.each(['ENOENT', 'ERR_STREAM_DESTROYED', '23505', 'client_timeout', 4002])(
  'the error code %s is no secret',
  (code) => {
    const { lines, log } = record();
    log.error({ err: Object.assign(new Error('failed'), { code }), problem: { code } });
    expect(JSON.parse(lines[0]!)).toMatchObject({ err: { code }, problem: { code } });
  },
);

test.each(['K7QF3M', 'abcdef', '01HZX3K9ZQW8R5T2V7Y4B6N8MC'])('the code %s may pair a world', (code) => {
  const { lines, log } = record();
  log.info({ code });
  expect(lines.join('')).not.toContain(code);
});

test.each([false, true])('what has the form of a secret is printed nowhere (pretty: %s)', (pretty) => {
  const { lines, log } = record({ scrub: /trk_\w+/g, pretty });
  log.info({ url: '/x?key=trk_abc' }, 'refused trk_def');
  expect(lines.join('')).toContain('refused [redacted]');
  expect(lines.join('')).not.toContain('trk_');
});
