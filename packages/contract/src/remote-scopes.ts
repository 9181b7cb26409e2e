import { scopeNames } from './scopes.ts';
import type { Scope } from './scopes.ts';

/** Scopes of the relay's own endpoints, which no world asks of another. */
const ofTheRelay: readonly Scope[] = ['clients:read', 'session:read', 'session:manage', 'events:subscribe'];

/** The scopes that requests between worlds may need. */
export const remoteScopeNames: readonly Scope[] = scopeNames.filter((scope) => !ofTheRelay.includes(scope));
