/** Every scope, in the words that an approving person reads, and whether giving it deserves a second look. */
export const scopes = {
  'clients:read': { title: 'See which of your worlds are connected' },
  'session:read': { title: 'See the hosted worlds of this key' },
  'session:manage': {
    title: 'Host worlds, and stop hosting them',
    dangerous: 'It logs in to your tabletop with a password that you give it.',
    beyondUsers: true,
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
  'entity:read': { title: 'Read anything of your world in detail, and what is selected on the canvas' },
  'entity:write': {
    title: 'Create, change and delete anything in your world',
    dangerous: 'It can overwrite or delete actors, items and scenes.',
  },
  'search:read': { title: 'Search your world and its compendiums' },
  'structure:read': { title: 'See the folders of your world and what lies in them' },
  'structure:write': {
    title: 'Create and delete folders',
    dangerous: 'With a folder it can delete all that lies in it.',
  },
  'chat:read': { title: 'Read the chat, whispers too' },
  'chat:write': {
    title: 'Send and delete chat messages',
    dangerous: 'It can speak as anybody, and delete the whole chat.',
  },
  'effects:read': { title: 'See conditions and effects' },
  'effects:write': { title: 'Put conditions and effects on characters, and end them' },
  'macro:read': { title: 'Read your macros with their code' },
  'macro:execute': {
    title: 'Run your macros',
    dangerous: 'A macro runs with the game master’s rights, whoever asks for it.',
    audited: true,
    beyondUsers: true,
  },
  'macro:write': {
    title: 'Write and delete macros',
    dangerous: 'A macro is code that runs in the game master’s browser.',
    audited: true,
    beyondUsers: true,
  },
  'script:execute': {
    title: 'Run scripts in the game master’s browser',
    dangerous: 'A script can do all that the game master can, and reach what that browser reaches.',
    audited: true,
    beyondUsers: true,
  },
  'file:read': { title: 'List and download the files that your tabletop keeps' },
  'sheet:read': { title: 'Take pictures of sheets' },
  'file:write': {
    title: 'Upload files to your tabletop, and replace files there',
    dangerous: 'A file that it replaces is lost, and every player’s browser loads what it uploads.',
    audited: true,
    beyondUsers: true,
  },
  'scene:read': { title: 'See your scenes, and pictures of them' },
  'scene:write': {
    title: 'Create, change, delete and switch scenes',
    dangerous: 'It can overwrite or delete scenes with all that lies on them.',
  },
  'canvas:read': { title: 'See what lies on your scenes, hidden things too' },
  'canvas:write': {
    title: 'Move tokens, and change what lies on your scenes',
    dangerous: 'It can overwrite or delete tokens, walls, lights and all else that lies on a scene.',
  },
  'canvas:control': { title: 'Select tokens on the canvas' },
  'playlist:read': { title: 'See your playlists and what is playing' },
  'playlist:control': {
    title: 'Play and stop music and sounds for everyone',
    dangerous: 'It can have the browser of each player load a sound from any address.',
  },
  'user:read': { title: 'See the players of your world' },
  'user:write': {
    title: 'Add, change and remove users of your world',
    dangerous: 'It can make anybody a game master.',
    audited: true,
    beyondUsers: true,
  },
  'world:read': { title: 'See your world’s title, system and modules' },
  'events:subscribe': {
    title: 'Follow what happens in your world as it happens, with whispers and hidden rolls',
    dangerous: 'It hears what only the game master sees: whispers, hidden messages and hidden rolls.',
  },
} as const satisfies Record<string, ScopeWords>;

export interface ScopeWords {
  /** What it lets a program do. */
  title: string;
  /** Why giving it deserves a second look. */
  dangerous?: string;
  /**
   * It reaches beyond the tabletop’s own rules, as code, files and users do. Who approves it is asked again, only the
   * preset of everything has it, and each use is in the audit log.
   */
  audited?: true;
  /** What it does is not done as a user of the world, so credentials that are bound to a user do not hold it. */
  beyondUsers?: true;
}

export type Scope = keyof typeof scopes;

/** The words about a scope, whichever it is. */
export const wordsOf = (scope: Scope): ScopeWords => scopes[scope];

/** The scopes that no credential holds that is bound to a user. */
export const scopesBeyondUsers: readonly string[] = Object.entries<ScopeWords>(scopes)
  .filter(([, { beyondUsers }]) => beyondUsers)
  .map(([name]) => name);

export const scopeNames = Object.keys(scopes) as Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
