import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unmask, unmaskInScript } from './unmask.ts';

it('the mask is taken off by native code', () => {
  expect(unmask).not.toBe(unmaskInScript);
});

it('without native code it is the same, and nothing else is written', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.nat(20),
      fc.nat(7),
      (bytes, mask, offset, unaligned) => {
        const source = Buffer.concat([Buffer.alloc(unaligned), bytes]).subarray(unaligned);
        const [native, script] = [Buffer.alloc(150, 1), Buffer.alloc(150, 1)];
        unmask(source, Buffer.from(mask), native, offset, source.length);
        unmaskInScript(source, Buffer.from(mask), script, offset, source.length);
        expect(native).toEqual(script);
        const expected = bytes.map((byte, at) => byte ^ (mask[at % 4] as number));
        expect(script.subarray(offset, offset + bytes.length)).toEqual(Buffer.from(expected));
        expect(script.filter((byte) => byte !== 1).length).toBeLessThanOrEqual(bytes.length);
      },
    ),
  );
});
