import type { Scope } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';

/** Whoever asks for something: a key's principal, or a connection token with its remote scopes. */
export interface ScopeHolder {
  readonly scopes: ReadonlySet<Scope>;
}

/** The one check of scopes, for HTTP, sockets and remote requests: throws `scope_missing`, naming the scope. */
export function authorize(holder: ScopeHolder, scope: Scope): void {
  if (holder.scopes.has(scope)) return;
  throw new ProblemError('scope_missing', `This needs the scope ${scope}.`, { scope });
}
