import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecret, hashSecret, kindOfSecret } from './secret.ts';
import type { SecretKind } from './secret.ts';

const kinds: [SecretKind, string][] = [
  ['masterKey', 'trm'],
  ['scopedKey', 'trk'],
  ['connectionToken', 'trc'],
  ['session', 'trs'],
  ['passwordReset', 'trr'],
];

describe('a secret', () => {
  it.each(kinds)('%s is <%s>_<32 base62><6 of checksum>, and is known by it', (kind, prefix) => {
    const { value, hint, hash } = createSecret(kind);
    expect(value).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{38}$`));
    expect(kindOfSecret(value)).toBe(kind);
    expect(hint).toBe(`${value.slice(0, 8)}…${value.slice(-4)}`);
    expect(hash).toEqual(hashSecret(value));
    expect(hash).toHaveLength(32);
  });

  it('with any one character changed is refused without a look-up', () => {
    const { value } = createSecret('scopedKey');
    const alphabet = fc.constantFrom(
      ...Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
    );
    fc.assert(
      fc.property(fc.integer({ min: 4, max: value.length - 1 }), alphabet, (at, character) => {
        fc.pre(value[at] !== character);
        expect(kindOfSecret(value.slice(0, at) + character + value.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it('cannot pass for one of another kind', () => {
    const { value } = createSecret('connectionToken');
    expect(kindOfSecret(value.replace('trc_', 'trm_'))).toBeUndefined();
  });

  it('is not recognised in anything that nobody issued', () => {
    fc.assert(fc.property(fc.string({ maxLength: 5000 }), (text) => kindOfSecret(text) === undefined));
  });
});
