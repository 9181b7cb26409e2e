/** A body that no schema asks for. */
export interface OddBody {
  name: string;
  contentType?: string;
  text: string | Buffer;
  /** Sent in pieces, without a declared length. */
  isChunked?: boolean;
}

const json = (name: string, text: string): OddBody => ({ name, contentType: 'application/json', text });

/** Wrong from the first byte: these are the same for every route. */
export const oddBodies: readonly OddBody[] = [
  json('empty', ''),
  json('space', ' '),
  json('null', 'null'),
  json('true', 'true'),
  json('number', '1'),
  json('text', '"x"'),
  json('list', '[]'),
  json('list of an object', '[{}]'),
  json('nothing named', '{}'),
  json('cut', '{"a":'),
  json('no JSON', '{a:1}'),
  json('two', '{}{}'),
  json('BOM', '\ufeff{}'),
  json('NUL', '{"a":"\0"}'),
  json('escaped NUL', String.raw`{"email":"a\u0000@example.org","name":"\u0000","code":"\u0000","token":"\u0000"}`),
  json('lone surrogate', String.raw`{"name":"\ud800","code":"\udfff","email":"\ud800@example.org"}`),
  json('__proto__', '{"__proto__":{"isAdministrator":true}}'),
  json('constructor', '{"constructor":{"prototype":{"isAdministrator":true}}}'),
  json('twice', '{"email":"a@example.org","email":{"$ne":1},"password":1,"password":"x"}'),
  json('numbers', '{"monthlyLimit":1e400,"limit":-1e400,"amount":123456789012345678901234567890}'),
  json('wrong types', '{"name":[],"scopes":{},"clientIds":"x","email":1,"password":{},"code":[],"token":null}'),
  json('deep list', '['.repeat(20_000) + ']'.repeat(20_000)),
  json('deep object', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)),
  json('many names', `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":1`).join()}}`),
  json('long list', `{"scopes":[${Array(20_000).fill('"x"').join()}]}`),
  json('long text', `{"name":"${'x'.repeat(200_000)}"}`),
  { name: 'no type', text: '{}' },
  { name: 'text/plain', contentType: 'text/plain', text: '{}' },
  { name: 'form', contentType: 'application/x-www-form-urlencoded', text: 'email=a&password=b' },
  { name: 'multipart', contentType: 'multipart/form-data; boundary=x', text: '--x--' },
  { name: 'xml', contentType: 'application/xml', text: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>' },
  { name: 'bytes', contentType: 'application/octet-stream', text: Buffer.from([0, 255, 254, 0]) },
  { name: 'utf-16', contentType: 'application/json; charset=utf-16', text: Buffer.from('{}', 'utf16le') },
  { name: 'not UTF-8', contentType: 'application/json', text: Buffer.from([0x22, 0xc3, 0x28, 0x22]) },
  { name: 'problem', contentType: 'application/problem+json', text: '{}' },
  { name: 'type of nothing', contentType: ';', text: '{}' },
  { name: 'long type', contentType: `application/${'x'.repeat(4_000)}`, text: '{}' },
  { ...json('chunked', '{}'), isChunked: true },
  { ...json('chunked nothing', ''), isChunked: true },
]; // prettier-ignore

/** Above what any route takes: rare, for each costs as much as a thousand others. */
export const hugeBodies: readonly OddBody[] = [
  json('too large', `"${'x'.repeat(1_100_000)}"`),
  { ...json('too large, chunked', `"${'x'.repeat(1_100_000)}"`), isChunked: true },
];
