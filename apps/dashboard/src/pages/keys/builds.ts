import { scopeNames } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import type { Language } from '../try-it/code/same-call.tsx';

/** Scopes that read more than a world and its characters: code of macros, which may hold secrets, and any file. */
const readsMore: readonly Scope[] = ['macro:read', 'file:read'];

/** A kind of program, and what it needs. */
export interface Build {
  name: string;
  what: string;
  scopes: readonly Scope[];
  /** The language of its first call. */
  language: Language;
  /** The page that makes a key of this kind, where it is another. */
  page?: { href: string; says: string; label: string };
}

/** What people build, the most wanted first. */
export const builds: readonly Build[] = [
  {
    name: 'Discord bot',
    what: 'Finds your characters, and rolls dice as them.',
    scopes: ['clients:read', 'sys5e:read', 'roll:execute', 'entity:read', 'search:read', 'user:read'],
    language: 'TypeScript',
  },
  {
    name: 'Stream overlay',
    what: 'Shows initiative, hit points and rolls to viewers.',
    scopes: [],
    language: 'curl',
    page: {
      href: '/dashboard/overlay',
      says: 'The relay has an overlay ready. Choose what it shows, see a preview, and copy the address for OBS. It creates its own key.',
      label: 'Build an overlay',
    },
  },
  {
    name: 'Stream Deck',
    what: 'Buttons: the next turn, a roll, a selected token.',
    scopes: [
      'clients:read',
      'encounter:read',
      'encounter:manage',
      'entity:read',
      'canvas:control',
      'roll:execute',
    ],
    language: 'curl',
  },
  {
    name: 'AI assistant',
    what: 'Claude, Copilot or another, over the Model Context Protocol.',
    scopes: [],
    language: 'curl',
    page: {
      href: '/dashboard/assistants',
      says: 'Assistants need an address and a header, each in its own way. Their page has the lines for yours.',
      label: 'Connect an assistant',
    },
  },
  {
    name: 'Script',
    what: 'Reads your worlds and characters, changes nothing.',
    scopes: scopeNames.filter((scope) => scope.endsWith(':read') && !readsMore.includes(scope)),
    language: 'Shell',
  },
  {
    name: 'Everything',
    what: 'Everything that a key can do, including what is dangerous.',
    scopes: scopeNames,
    language: 'curl',
  },
];

/** The kind whose permissions are exactly these. */
export const buildOf = (scopes: readonly string[]): Build | undefined =>
  builds.find(
    (build) => build.scopes.length === scopes.length && build.scopes.every((scope) => scopes.includes(scope)),
  );
