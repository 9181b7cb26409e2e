import type { WireParameters } from '@tabletop-relay/contract/types';
import { expectTypeOf, test } from 'vitest';

test('a handler’s parameters are typed by their wire names', () => {
  expectTypeOf<WireParameters<'start-encounter'>>().toHaveProperty('tokenUuids');
  expectTypeOf<WireParameters<'start-encounter'>>().not.toHaveProperty('tokens');
  expectTypeOf<WireParameters<'next-turn'>['encounterId']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<WireParameters<'skill-check'>['actorUuid']>().toEqualTypeOf<string>();
});
