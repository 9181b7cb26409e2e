import { describe, expect, it } from 'vitest';
import { canonicalEmail, readEmail } from './email.ts';

describe('an e-mail address', () => {
  it.each([
    ['demo@localhost', 'demo@localhost'],
    ['  Victim@X.Test ', 'victim@x.test'],
    ["o'brien+games@x.test", "o'brien+games@x.test"],
    ['a@m\u00FCnchen.de', 'a@xn--mnchen-3ya.de'],
    ['a@mu\u0308nchen.de', 'a@xn--mnchen-3ya.de'],
    ['a@\uFF58.test', 'a@x.test'],
    ['Jose\u0301@x.test', 'jos\u00E9@x.test'],
  ])('%j has one form: %s', (typed, email) => {
    expect(canonicalEmail(typed)).toBe(email);
    expect(canonicalEmail(email)).toBe(email);
    expect(readEmail(typed)).toBe(email);
  });

  it.each([
    'victim@x.test,',
    '<victim@x.test>',
    'Victim <victim@x.test>',
    'vic\u0007tim@x.test',
    'vic\u200Btim@x.test',
    'vic\u00ADtim@x.test',
    '\u202Evictim@x.test',
    'victim@x\u200B.test',
    'victim@x.test;other@x.test',
    'victim@x.test\r\nbcc: other@x.test',
    '"victim"@x.test',
    '"victim@x.test"@y.test',
    'victim@x.test(comment)',
    'victim@y@x.test',
    'victim@x.test.',
    'vic..tim@x.test',
    'victim@[192.0.2.1]',
    'victim@192.0.2.1',
    'victim@',
    '@x.test',
    'victim',
  ])('is not %j', (typed) => {
    expect(canonicalEmail(typed)).toBeUndefined();
    const errors = [{ field: 'email', message: expect.any(String) as unknown }];
    const refused = expect.objectContaining({ code: 'invalid_request', fields: { errors } }) as Error;
    expect(() => readEmail(typed)).toThrow(refused);
  });
});
