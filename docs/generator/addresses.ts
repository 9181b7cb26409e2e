import { addressOf, endpoints } from '../../packages/contract/src/index.ts';
import type { Endpoint } from '../../packages/contract/src/index.ts';

/**
 * `packages/contract/src/endpoints/addresses.ts`: method and path of every endpoint that the SDK has a method for, without the schemas that stand in
 * the literals, so that a page loads two kilobytes and no schema library. The type in it makes the compiler refuse a
 * table that differs from the literals.
 */
export function addressesModule(): string {
  const lines = Object.entries<Endpoint>(endpoints)
    .filter(([, { speaks }]) => !speaks)
    .map(([name, endpoint]) => `  ${name}: '${addressOf(endpoint)}',`);
  return `import type { AddressOf } from './endpoint.ts';
import type { SdkEndpoints } from './index.ts';

/** Method and path of every endpoint but those of OAuth. Generated from the literals beside it by \`pnpm docs:generate\`. */
export const addresses = {
${lines.join('\n')}
} as const satisfies { [N in keyof SdkEndpoints]: AddressOf<SdkEndpoints[N]> };
`;
}
