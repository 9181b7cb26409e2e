import { describe, expect, it } from 'vitest';
import { explainListening } from './listening.ts';
import type { Listening } from './listening.ts';
import { reasonOf } from './reason.ts';

describe('the reason of an error', () => {
  it.each([
    ['its message', new Error('no route'), 'no route'],
    [
      'its code where it has no message',
      Object.assign(new Error(), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['that of its cause', new Error('fetch failed', { cause: new Error('no route') }), 'no route'],
    [
      'its own where it has a code',
      Object.assign(new Error('refused', { cause: new Error('no route') }), { code: 'X' }),
      'refused',
    ],
    [
      'that of the first of several',
      new AggregateError([new Error('no route'), new Error('other')], 'all failed'),
      'no route',
    ],
    ['its text where it is no error', 'gone', 'gone'],
  ])('is %s', (_what, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it('holds no password, and no more than 200 characters', () => {
    expect(reasonOf(new Error('redis://user:secret@10.0.0.5 and //me@b'))).toBe('redis://10.0.0.5 and //b');
    expect(reasonOf(new Error('x'.repeat(500)))).toHaveLength(200);
  });
});

describe('a port that cannot be had', () => {
  const failure = (code: string, more: Partial<Listening> = {}) =>
    Object.assign(new Error('listen failed'), { code, port: 80, ...more }) as Listening;

  it.each([
    [failure('EADDRINUSE'), 'port 80 is in use; set PORT to another'],
    [failure('EACCES'), 'port 80 needs rights that this user lacks; set PORT above 1023'],
    [
      failure('EADDRNOTAVAIL', { address: '10.1.1.1' }),
      '10.1.1.1 is no address of this machine; correct HOST',
    ],
    [failure('ENOTFOUND'), 'HOST is no address of this machine; correct HOST'],
    [failure('EAI_AGAIN'), 'HOST is no address of this machine; correct HOST'],
    [failure('EMFILE'), 'listen failed'],
  ])('says what to change: %s', (error, words) => {
    expect(explainListening(error, 'PORT')).toBe(words);
  });
});
