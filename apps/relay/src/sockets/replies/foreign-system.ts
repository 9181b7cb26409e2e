import type { Operation, WorldMetadata } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';

/** A module of another rules system never answers such a command, and the caller would wait for nothing. */
export function refuseForeignSystem(
  { world }: { readonly world: WorldMetadata },
  { name, systems }: Operation,
): void {
  if (systems === undefined) return;
  const { systemId, systemTitle } = world;
  if (systemId === '' || systems.includes(systemId)) return;
  throw new ProblemError(
    'operation_failed',
    `This world plays by ${systemTitle || systemId}, which does not know ${name}. Nothing was sent.`,
    { reason: 'wrong_system' },
  );
}
