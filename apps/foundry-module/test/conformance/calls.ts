import type { OperationName } from '@tabletop-relay/module-sdk';

/** What the calls name in a world. */
export interface Places {
  actor: string;
  actorName: string;
  other: string;
  monster: string;
  /** Dying, with death saves. */
  dying: string;
  token: string;
  monsterToken: string;
  scene: string;
  otherScene: string;
  item: string;
  /** Names of what the actor has. */
  weapon: string;
  stack: string;
  charged: string;
  worn: string;
  attunable: string;
  spell: string;
  feature: string;
  caster: string;
  user: string;
  player: string;
  folder: string;
  journal: string;
  macro: string;
  playlist: string;
  sound: string;
  wall: string;
  file: string;
  pack: string;
  /** A step of a token, in the scene's own coordinates. */
  x: number;
  y: number;
}

/** Answers of earlier calls, by the name that a call keeps its own under. */
export type Kept = Record<string, Record<string, unknown>>;

/** One call on any world. */
export interface Step {
  operation: OperationName;
  parameters: (at: Places, kept: Kept) => object;
  keep?: string;
  /** The user in whose name. */
  as?: (at: Places) => string;
}

const step = (
  operation: OperationName,
  parameters: Step['parameters'] = () => ({}),
  more: Pick<Step, 'keep' | 'as'> = {},
): Step => ({ operation, parameters, ...more });

const id = (kept: Kept, name: string): string => (kept[name] as unknown as { data: { id: string } }).data.id;

/** What a table does in an evening: each operation of the contract at least once. */
export const evening: readonly Step[] = [
  step('world-info'),
  step('players'),
  step('get-users'),
  step('get-user', ({ user }) => ({ name: user })),
  step('create-user', () => ({ name: 'Nell', role: 1 }), { keep: 'user' }),
  step('update-user', (_at, kept) => ({ id: id(kept, 'user'), data: { role: 2 } })),
  step('delete-user', (_at, kept) => ({ id: id(kept, 'user') })),

  step('select', ({ token }) => ({ uuids: [token], overwrite: true })),
  step('selected'),
  step('entity', ({ actor }) => ({ uuid: actor })),
  step('entity', () => ({ selected: true, actor: true })),
  step('entity', ({ actor }) => ({ uuid: `${actor}0` })),
  step('entity', ({ monster }) => ({ uuid: monster }), { as: ({ player }) => player }),
  step('create', () => ({ entityType: 'Actor', data: { name: 'Stranger', type: 'npc' } }), { keep: 'made' }),
  step('update', (_at, kept) => ({ uuid: kept['made']!['uuid'], data: { name: 'Known' } })),
  step('update', ({ other }) => ({ uuid: other, data: { name: 'Not hers' } }), {
    as: ({ player }) => player,
  }),
  step('delete', (_at, kept) => ({ uuid: kept['made']!['uuid'] })),
  step('create', () => ({ entityType: 'Nothing', data: {} })),
  step('give', ({ actor, other, stack }) => ({
    fromUuid: actor,
    toUuid: other,
    itemName: stack,
    quantity: 1,
  })),
  step('give', ({ other, item }) => ({ toUuid: other, itemUuid: item })),
  step('remove', ({ actor, stack }) => ({ actorUuid: actor, itemName: stack, quantity: 1 })),
  step('increase', ({ actor }) => ({ uuid: actor, attribute: 'system.currency.gp', amount: 5 })),
  step('decrease', ({ actor }) => ({ uuid: actor, attribute: 'system.currency.gp', amount: 5 })),
  step('increase', ({ actor }) => ({ uuid: actor, attribute: 'name', amount: 5 })),

  step('structure', () => ({ types: ['Actor', 'JournalEntry'], recursive: true })),
  step('structure', ({ pack }) => ({ path: pack })),
  step('search', ({ actorName }) => ({ query: actorName, filter: 'Actor', excludeCompendiums: true })),
  step('search', ({ actorName }) => ({ query: actorName, minified: true })),
  step('create-folder', () => ({ name: 'Loot', folderType: 'Item' }), { keep: 'folder' }),
  step('get-folder', () => ({ name: 'Loot' })),
  step('get-folder', () => ({ name: 'No such folder' })),
  step('delete-folder', (_at, kept) => ({ folderId: id(kept, 'folder') })),

  step('get-scene'),
  step('get-scene', () => ({ all: true })),
  step('create-scene', () => ({ data: { name: 'Roof', width: 1000, height: 1000 } }), { keep: 'scene' }),
  step('update-scene', () => ({ name: 'Roof', data: { name: 'Tower' } })),
  step('delete-scene', () => ({ name: 'Tower' })),
  step('switch-scene', ({ otherScene }) => ({ sceneId: otherScene })),
  step('switch-scene', ({ scene }) => ({ sceneId: scene })),
  step('switch-scene', ({ otherScene }) => ({ sceneId: otherScene }), { as: ({ player }) => player }),
  step('scene-screenshot', () => ({ format: 'jpeg', width: 100, height: 100 })),
  step('scene-raw-image', ({ scene }) => ({ sceneId: scene })),
  step('sheet-screenshot', ({ actor }) => ({ uuid: actor })),

  step('get-canvas-documents', () => ({ documentType: 'walls' })),
  step('create-canvas-document', () => ({ documentType: 'walls', data: { c: [1, 1, 2, 2] } }), {
    keep: 'wall',
  }),
  step('update-canvas-document', (_at, kept) => ({
    documentType: 'walls',
    documentId: (kept['wall'] as unknown as { data: { _id: string }[] }).data[0]!._id,
    data: { door: 1 },
  })),
  step('delete-canvas-document', (_at, kept) => ({
    documentType: 'walls',
    documentId: (kept['wall'] as unknown as { data: { _id: string }[] }).data[0]!._id,
  })),
  step('move-token', ({ token, x, y }) => ({ uuid: token, x, y, animate: false })),
  step('move-token', ({ token }) => ({ uuid: token, x: -5, y: 0 })),
  step('measure-distance', ({ token, monsterToken }) => ({ originUuid: token, targetUuid: monsterToken })),

  step('start-encounter', ({ token, monsterToken }) => ({ tokens: [token, monsterToken], rollAll: true }), {
    keep: 'fight',
  }),
  step('encounters'),
  step('next-turn'),
  step('last-turn'),
  step('next-round'),
  step('last-round'),
  step('remove-from-encounter', ({ monsterToken }) => ({ uuids: [monsterToken] })),
  step('add-to-encounter', ({ monsterToken }) => ({ uuids: [monsterToken], rollInitiative: true })),

  step('get-status-effects'),
  step('add-effect', ({ monsterToken }) => ({ uuid: monsterToken, statusId: 'prone' })),
  step('add-effect', ({ monsterToken }) => ({ uuid: monsterToken, statusId: 'prone' })),
  step('add-effect', ({ actor }) => ({ uuid: actor, effectData: { name: 'Blessed' } }), { keep: 'effect' }),
  step('get-effects', ({ actor }) => ({ uuid: actor })),
  step('remove-effect', ({ monsterToken }) => ({ uuid: monsterToken, statusId: 'prone' })),
  step('kill', ({ monsterToken }) => ({ uuid: monsterToken })),
  step('end-encounter', (_at, kept) => ({ encounterId: kept['fight']!['encounterId'] })),
  step('end-encounter', () => ({ encounterId: 'none' })),

  step('roll', () => ({ formula: '2d20kh + 3', flavor: 'Luck' })),
  step('roll', () => ({ formula: 'no dice' })),
  step('rolls', () => ({ limit: 2 })),
  step('last-roll'),
  step('chat-send', ({ actor }) => ({ content: '<p>Hello</p>', speaker: actor }), { keep: 'line' }),
  step('chat-messages', () => ({ limit: 3 })),
  step('chat-delete', (_at, kept) => ({ messageId: id(kept, 'line') })),
  step('chat-delete', () => ({ messageId: 'none' })),
  step('chat-flush', () => ({}), { as: ({ player }) => player }),
  step('chat-flush'),

  step('macros'),
  step('macro-execute', ({ macro }) => ({ uuid: macro, args: { name: 'Ada' } })),
  step('execute-js', () => ({ script: 'return 6 * 7' })),
  step('execute-js', () => ({ script: 'throw new Error("no")' })),

  step('upload-file', () => ({
    path: 'notes',
    filename: 'note.txt',
    fileData: 'data:text/plain;base64,SGVsbG8=',
  })),
  step('upload-file', () => ({
    path: 'notes',
    filename: 'note.txt',
    fileData: 'data:text/plain;base64,SGVsbG8=',
  })),
  step('file-system', () => ({ path: 'notes' })),
  step('download-file', () => ({ path: 'notes/note.txt' })),
  step('download-file', () => ({ path: 'notes/none.txt' })),

  step('get-playlists'),
  step('playlist-play', ({ playlist, sound }) => ({ playlistName: playlist, soundName: sound })),
  step('playlist-next', ({ playlist }) => ({ playlistName: playlist })),
  step('playlist-volume', ({ playlist }) => ({ playlistName: playlist, volume: 0.4 })),
  step('playlist-stop', ({ playlist }) => ({ playlistName: playlist })),
  step('play-sound', () => ({ src: 'assets/rain.ogg', volume: 0.2 })),
  step('stop-sound', () => ({ src: 'assets/rain.ogg' })),

  step('skill-check', ({ actor }) => ({ actorUuid: actor, skill: 'prc', bonus: '1d4' })),
  step('skill-check', ({ other }) => ({ actorUuid: other, skill: 'prc' }), { as: ({ player }) => player }),
  step('ability-check', ({ actor }) => ({ actorUuid: actor, ability: 'str', advantage: true })),
  step('ability-save', ({ actor }) => ({ actorUuid: actor, ability: 'dex' })),
  step('death-save', ({ dying }) => ({ actorUuid: dying })),
  step('death-save', ({ actor }) => ({ actorUuid: actor })),
  step('use-spell', ({ caster, spell }) => ({ actorUuid: caster, abilityName: spell })),
  step('get-actor-details', ({ caster: actor }) => ({
    actorUuid: actor,
    details: [
      'resources',
      'items',
      'spells',
      'features',
      'stats',
      'abilities',
      'skills',
      'details',
      'conditions',
    ],
  })),
  step('get-concentration', ({ caster }) => ({ actorUuid: caster })),
  step('break-concentration', ({ caster }) => ({ actorUuid: caster })),
  step('break-concentration', ({ caster }) => ({ actorUuid: caster })),
  step('concentration-save', ({ caster }) => ({ actorUuid: caster, damage: 0 })),
  step('use-item', ({ actor, weapon, monsterToken }) => ({
    actorUuid: actor,
    abilityName: weapon,
    targetUuid: monsterToken,
  })),
  step('use-feature', ({ caster, feature }) => ({ actorUuid: caster, abilityName: feature })),
  step('use-ability', ({ actor, weapon }) => ({ actorUuid: actor, abilityName: weapon })),
  step('use-ability', ({ actor }) => ({ actorUuid: actor, abilityName: 'Nothing' })),
  step('modify-item-charges', ({ caster, charged }) => ({
    actorUuid: caster,
    itemName: charged,
    amount: -1,
  })),
  step('equip-item', ({ actor, worn }) => ({ actorUuid: actor, itemName: worn, equipped: false })),
  step('attune-item', ({ caster, attunable }) => ({ actorUuid: caster, itemName: attunable, attuned: true })),
  step('transfer-currency', ({ actor, other }) => ({
    sourceActorUuid: actor,
    targetActorUuid: other,
    currency: { gp: 2 },
  })),
  step('transfer-currency', ({ actor, other }) => ({
    sourceActorUuid: actor,
    targetActorUuid: other,
    currency: { gp: 100000 },
  })),
  step('modify-currency', ({ actor }) => ({ actorUuid: actor, currency: 'sp', amount: 3 })),
  step('prepare-spell', ({ caster, spell }) => ({ actorUuid: caster, spellName: spell, prepared: false })),
  step('modify-experience', ({ actor }) => ({ actorUuid: actor, amount: 50 })),
  step('modify-experience', ({ monster }) => ({ actorUuid: monster, amount: 50 })),
  step('short-rest', ({ actor }) => ({ actorUuid: actor, autoHD: true })),
  step('long-rest', ({ actor }) => ({ actorUuid: actor })),
];
