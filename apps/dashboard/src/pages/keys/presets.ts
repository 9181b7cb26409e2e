import { scopeNames } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';

/** Scopes that read more than a world and its characters: code of macros, which may hold secrets, and any file. */
const readsMore: readonly Scope[] = ['macro:read', 'file:read'];

/** Sets of permissions that people mean by a word. */
export const presets = [
  {
    name: 'Read only',
    what: 'Sees your worlds and characters, changes nothing.',
    scopes: scopeNames.filter((scope) => scope.endsWith(':read') && !readsMore.includes(scope)),
  },
  {
    name: 'Dice roller',
    what: 'Rolls dice as your characters.',
    scopes: ['clients:read', 'sys5e:read', 'roll:execute', 'entity:read', 'user:read'],
  },
  {
    name: 'Combat tracker',
    what: 'Runs encounters, and sees what happens.',
    scopes: [
      'clients:read',
      'encounter:read',
      'encounter:manage',
      'entity:read',
      'canvas:control',
      'events:subscribe',
    ],
  },
  { name: 'Everything', what: 'All that a key can do, the dangerous too.', scopes: scopeNames },
] as const satisfies { name: string; what: string; scopes: readonly Scope[] }[];

/** The preset whose permissions are exactly these. */
export const presetOf = (scopes: readonly string[]): string | undefined =>
  presets.find(
    (preset) =>
      preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  )?.name;
