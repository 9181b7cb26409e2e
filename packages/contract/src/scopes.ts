/** Every scope, in the words that an approving person reads, and whether giving it deserves a second look. */
export const scopes = {
  'clients:read': { title: 'See which of your worlds are connected' },
  'session:read': { title: 'See the headless sessions of this key' },
  'session:manage': {
    title: 'Start and end headless sessions',
    dangerous: 'It logs in to your tabletop with a password that you give it.',
  },
  'encounter:read': { title: 'See combat encounters' },
  'encounter:manage': { title: 'Start, run and end combat encounters' },
  'sys5e:read': { title: 'Read your characters: resources, spells, items, concentration' },
  'sys5e:write': {
    title: 'Change your characters: rests, charges, experience, items, currency, abilities',
    dangerous: 'It can spend, give away and use what your characters own.',
  },
  'roll:execute': { title: 'Roll dice as your characters' },
  'roll:read': { title: 'See the rolls that were made' },
  'entity:read': { title: 'See what is selected on the canvas' },
  'entity:write': {
    title: 'Create, change and delete anything in your world',
    dangerous: 'It can overwrite or delete actors, items and scenes.',
  },
  'canvas:control': { title: 'Select tokens on the canvas' },
  'user:read': { title: 'See the players of your world' },
  'world:read': { title: 'See your world’s title, system and modules' },
  'events:subscribe': {
    title: 'Follow what happens in your world as it happens, with whispers and hidden rolls',
    dangerous: 'It hears what only the game master sees: whispers, hidden messages and hidden rolls.',
  },
} as const satisfies Record<string, { title: string; dangerous?: string }>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
