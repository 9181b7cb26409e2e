import { operations, wireNameOf } from '@tabletop-relay/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { wireNames } from './handlers.ts';
import type { WireParameters } from './handlers.ts';

test('every parameter has the name in a handler that it has on the wire', () => {
  const names: Record<string, string> = wireNames;
  for (const operation of operations) {
    for (const [parameter, schema] of Object.entries(operation.parameters)) {
      expect(names[parameter] ?? parameter).toBe(wireNameOf(parameter, schema));
    }
  }
});

test('a handler’s parameters are typed by their wire names', () => {
  expectTypeOf<WireParameters<'start-encounter'>>().toHaveProperty('tokenUuids');
  expectTypeOf<WireParameters<'start-encounter'>>().not.toHaveProperty('tokens');
  expectTypeOf<WireParameters<'next-turn'>['encounterId']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<WireParameters<'skill-check'>['actorUuid']>().toEqualTypeOf<string>();
});
