import type { OperationName } from '../operations/index.ts';
import { scopeNames, wordsOf } from '../scopes.ts';
import type { Scope } from '../scopes.ts';

/**
 * The operations that an assistant is offered as tools of their own: what is asked of it at the table, most of the time. Each costs
 * its model some hundred tokens in every conversation, so the list is short. All others are found and called by their names.
 */
export const tableOperations = [
  'search',
  'entity',
  'get-actor-details',
  'structure',
  'get-scene',
  'get-canvas-documents',
  'players',
  'world-info',
  'encounters',
  'start-encounter',
  'end-encounter',
  'next-turn',
  'roll',
  'skill-check',
  'ability-save',
  'chat-messages',
  'chat-send',
  'move-token',
  'add-effect',
  'remove-effect',
] as const satisfies readonly OperationName[];

/** The tools that are no operations. */
export const ownTools = ['worlds', 'find_operations', 'call_operation', 'recent_events'] as const;
export type OwnTool = (typeof ownTools)[number];

/** What `tools` may say beside names of groups: what is listed, and of `read` also what may be called. */
export const surfaceNames = ['table', 'read', 'all'] as const;

const reads = (...more: readonly Scope[]): Scope[] => {
  const secret: readonly Scope[] = ['macro:read', 'file:read', 'session:read', 'chat:read', 'roll:read'];
  const told = scopeNames.filter((scope) => scope.endsWith(':read') && !secret.includes(scope));
  return [...told, ...more];
};

/** What people want of an assistant, as the permissions of a key for it. No other preset than the last hears the chat. */
export const assistantPresets = [
  {
    name: 'Ask',
    what: 'Looks things up: characters, scenes, rules in compendiums. It changes nothing and hears no chat.',
    scopes: reads(),
    query: 'readonly=1',
  },
  {
    name: 'Run the table',
    what: 'Rolls, moves tokens, runs encounters, rests characters and speaks in the chat. It does not read the chat.',
    scopes: reads(
      'roll:execute',
      'encounter:manage',
      'effects:write',
      'canvas:write',
      'sys5e:write',
      'chat:write',
    ),
    query: '',
  },
  {
    name: 'Prepare',
    what: 'Creates and changes actors, items, folders and scenes before the game. It does not speak in the chat.',
    scopes: reads('entity:write', 'structure:write', 'scene:write', 'canvas:write'),
    query: '',
  },
  {
    name: 'Listen in',
    what: 'Reads the chat and follows what happens, with whispers and hidden rolls: for recaps. It changes nothing.',
    scopes: reads('chat:read', 'roll:read', 'events:subscribe'),
    query: 'readonly=1',
  },
] as const satisfies { name: string; what: string; scopes: readonly Scope[]; query: string }[];

/**
 * Whether a call with this scope is made for an assistant only with a key to which a signed-in person gave the scope by hand, and
 * never as a tool of its own: what it does reaches beyond the tabletop's rules.
 */
export const needsKeyByHand = (scope: Scope): boolean => wordsOf(scope).audited === true;

/** What a sign-in may give: all but what reaches beyond the tabletop's rules, or takes a password. */
export const signInScopes: readonly Scope[] = scopeNames.filter(
  (scope) => !needsKeyByHand(scope) && scope !== 'session:manage',
);
