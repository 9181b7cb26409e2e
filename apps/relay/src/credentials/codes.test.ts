import { describe, expect, it } from 'vitest';
import { hmacCode, newLongCode, newPairingCode, readLongCode, readPairingCode } from './codes.ts';

describe('a pairing code', () => {
  it('has six of 32 characters that nobody mistakes for one another', () => {
    const drawn = new Set(Array.from({ length: 2000 }, newPairingCode).join(''));
    expect([...drawn].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
    expect(newPairingCode()).toHaveLength(6);
  });

  it('is read in any case, with the spaces and dashes that people type', () => {
    expect(readPairingCode(' abc-2 3k ')).toBe('ABC23K');
  });

  it.each(['', 'ABCDE', 'ABCDEFG', 'ABCDE0', 'ABCDE1', 'ABCDEI', 'ABCDEO', 'ABCDÉF'])('is not %j', (text) => {
    expect(readPairingCode(text)).toBeUndefined();
  });

  it('is stored keyed: the same code has another mark under another secret or purpose', () => {
    const mark = hmacCode('one', 'pairing-code', 'ABCDEF');
    expect(mark).not.toEqual(hmacCode('two', 'pairing-code', 'ABCDEF'));
    expect(mark).not.toEqual(hmacCode('one', 'login-email', 'ABCDEF'));
  });
});

describe('a long code', () => {
  it('has 130 bits in Crockford’s alphabet', () => {
    expect(newLongCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('is read as people write it: lower case, O for 0, I and L for 1', () => {
    expect(readLongCode('oil0000000000000000000000a')).toBe('0110000000000000000000000A');
  });

  it('is read with the space that a copy brings along', () => {
    expect(readLongCode(` ${'0'.repeat(26)}\n`)).toBe('0'.repeat(26));
  });

  it.each(['', '0'.repeat(25), '0'.repeat(27), `${'0'.repeat(25)}U`])('is not %j', (text) => {
    expect(readLongCode(text)).toBeUndefined();
  });
});
