/** The fields of answers that a module in use gave in a real tabletop of generation 14, as names and nothing else; documents are left out, since the tabletop itself writes them. */
export const captured: Readonly<Record<string, string>> = {
  'ability-check': 'data data.ability data.actorUuid data.formula data.result data.total',
  'ability-save': 'data data.ability data.actorUuid data.formula data.result data.total',
  'add-effect':
    'data data.effect data.effect.icon data.effect.id data.effect.name data.effect.statuses data.effect.uuid data.uuid',
  'add-to-encounter': 'added encounterId failed',
  'attune-item': 'data data.actorUuid data.attuned data.itemName data.itemUuid',
  'break-concentration': 'data data.actorUuid data.broken data.removedEffectId',
  'chat-delete': 'data data.messageId success',
  'chat-flush': 'data data.message success',
  'chat-messages':
    'data data.limit data.messages data.messages.author data.messages.author.id data.messages.author.name data.messages.content data.messages.flags data.messages.flavor data.messages.id data.messages.isRoll data.messages.rolls data.messages.rolls.dice data.messages.rolls.dice.faces data.messages.rolls.dice.results data.messages.rolls.formula data.messages.rolls.isCritical data.messages.rolls.isFumble data.messages.rolls.total data.messages.speaker data.messages.timestamp data.messages.type data.messages.uuid data.messages.whisper data.offset data.total success',
  'chat-send':
    'data data.author data.author.id data.author.name data.content data.flags data.flavor data.id data.isRoll data.rolls data.speaker data.timestamp data.type data.uuid data.whisper success',
  'concentration-save': 'data data.actorUuid data.dc data.formula data.maintained data.result data.total',
  create: 'entity uuid',
  'create-canvas-document': 'data documentType sceneId',
  'create-folder': 'data data.id data.name data.parentFolder data.type data.uuid',
  'create-scene': 'data',
  'create-user':
    'data data.active data.avatar data.character data.color data.id data.isGM data.name data.role',
  'death-save':
    'data data.actorUuid data.deathSaves data.deathSaves.failure data.deathSaves.success data.formula data.result data.total',
  decrease: 'results results.attribute results.newValue results.oldValue results.uuid success',
  delete: 'success uuid',
  'delete-canvas-document': 'documentType sceneId success',
  'delete-folder': 'data data.deleted data.entitiesDeleted data.folderId data.foldersDeleted',
  'delete-scene': 'success',
  'delete-user': 'success',
  'download-file': 'fileData filename mimeType path success',
  encounters:
    'encounters encounters.combatants encounters.combatants.actorUuid encounters.combatants.defeated encounters.combatants.hidden encounters.combatants.id encounters.combatants.img encounters.combatants.initiative encounters.combatants.name encounters.combatants.tokenUuid encounters.current encounters.id encounters.name encounters.round encounters.turn',
  'end-encounter': 'encounterId message',
  entity: 'data uuid',
  'equip-item': 'data data.actorUuid data.equipped data.itemName data.itemUuid',
  'execute-js': 'result success',
  'file-system': 'path recursive results results.name results.path results.type source success',
  'get-actor-details':
    'data data.features data.items data.resources data.resources.primary data.resources.secondary data.resources.tertiary data.spellSlots data.spells data.uuid',
  'get-canvas-documents': 'data documentType sceneId',
  'get-concentration': 'data data.actorUuid data.effect data.isConcentrating data.spell',
  'get-effects': 'data data.effects data.uuid',
  'get-folder': 'data data.contents data.id data.name data.parentFolder data.type data.uuid',
  'get-playlists':
    'data data.playlists data.playlists.description data.playlists.folder data.playlists.id data.playlists.mode data.playlists.name data.playlists.playing data.playlists.sorting data.playlists.sounds data.playlists.sounds.id data.playlists.sounds.name data.playlists.sounds.path data.playlists.sounds.playing data.playlists.sounds.repeat data.playlists.sounds.volume',
  'get-scene': 'data',
  'get-status-effects': 'data data.effects data.effects.icon data.effects.id data.effects.name',
  'get-user': 'data data.active data.avatar data.character data.color data.id data.isGM data.name data.role',
  'get-users': 'data data.active data.avatar data.character data.color data.id data.isGM data.name data.role',
  give: 'itemUuid newItemId quantity success toUuid',
  increase: 'results results.attribute results.newValue results.oldValue results.uuid success',
  kill: 'results results.message results.success results.uuid',
  'last-roll':
    'data data.dice data.dice.faces data.dice.results data.dice.results.active data.dice.results.result data.flavor data.formula data.id data.isCritical data.isFumble data.messageId data.rollTotal data.speaker data.timestamp data.user',
  'last-round':
    'action actorTurn currentRound currentTurn encounter encounter.id encounter.name encounter.round encounter.turn encounterId tokenTurn',
  'last-turn':
    'action actorTurn currentRound currentTurn encounter encounter.id encounter.name encounter.round encounter.turn encounterId tokenTurn',
  'long-rest':
    'data data.actorUuid data.result data.result.clone data.result.deltas data.result.deltas.hitDice data.result.deltas.hitPoints data.result.dhd data.result.dhp data.result.longRest data.result.newDay data.result.rolls data.result.type data.result.updateData data.result.updateItems',
  'macro-execute': 'result success uuid',
  macros:
    'macros macros.author macros.canExecute macros.command macros.id macros.img macros.name macros.scope macros.type macros.uuid',
  'measure-distance':
    'data data.distance data.origin data.origin.x data.origin.y data.sceneId data.target data.target.x data.target.y data.units',
  'modify-experience': 'data data.actorUuid data.newXp data.oldXp',
  'modify-item-charges': 'data data.itemUuid data.newCharges data.oldCharges',
  'move-token': 'data data.name data.sceneId data.tokenUuid data.x data.y',
  'next-round':
    'action actorTurn currentRound currentTurn encounter encounter.id encounter.name encounter.round encounter.turn encounterId tokenTurn',
  'next-turn':
    'action actorTurn currentRound currentTurn encounter encounter.id encounter.name encounter.round encounter.turn encounterId tokenTurn',
  'play-sound': 'data data.loop data.src data.volume',
  players: 'users users.active users.avatar users.color users.id users.isGM users.name users.role',
  'playlist-next':
    'data data.playlist data.playlist.description data.playlist.folder data.playlist.id data.playlist.mode data.playlist.name data.playlist.playing data.playlist.sorting data.playlist.sounds data.playlist.sounds.id data.playlist.sounds.name data.playlist.sounds.path data.playlist.sounds.playing data.playlist.sounds.repeat data.playlist.sounds.volume',
  'playlist-play':
    'data data.playlist data.playlist.description data.playlist.folder data.playlist.id data.playlist.mode data.playlist.name data.playlist.playing data.playlist.sorting data.playlist.sounds data.playlist.sounds.id data.playlist.sounds.name data.playlist.sounds.path data.playlist.sounds.playing data.playlist.sounds.repeat data.playlist.sounds.volume',
  'playlist-stop':
    'data data.playlist data.playlist.description data.playlist.folder data.playlist.id data.playlist.mode data.playlist.name data.playlist.playing data.playlist.sorting data.playlist.sounds data.playlist.sounds.id data.playlist.sounds.name data.playlist.sounds.path data.playlist.sounds.playing data.playlist.sounds.repeat data.playlist.sounds.volume',
  'playlist-volume':
    'data data.playlist data.playlist.description data.playlist.folder data.playlist.id data.playlist.mode data.playlist.name data.playlist.playing data.playlist.sorting data.playlist.sounds data.playlist.sounds.id data.playlist.sounds.name data.playlist.sounds.path data.playlist.sounds.playing data.playlist.sounds.repeat data.playlist.sounds.volume',
  remove: 'actorUuid itemUuid quantity success',
  'remove-effect': 'data data.removedEffectId data.uuid',
  'remove-from-encounter': 'encounterId failed removed',
  roll: 'data data.chatMessageCreated data.id data.roll data.roll.dice data.roll.dice.faces data.roll.dice.results data.roll.dice.results.active data.roll.dice.results.result data.roll.formula data.roll.isCritical data.roll.isFumble data.roll.timestamp data.roll.total success',
  rolls:
    'data data.dice data.dice.faces data.dice.results data.dice.results.active data.dice.results.result data.flavor data.formula data.id data.isCritical data.isFumble data.messageId data.rollTotal data.speaker data.timestamp data.user',
  'scene-raw-image': 'data data.imageData data.mimeType data.sceneId data.sceneName data.src',
  search:
    'filter results results.documentType results.folder results.formattedMatch results.icon results.id results.journalLink results.name results.package results.packageName results.resultType results.subType results.tagline results.uuid',
  select: 'count message selected success',
  selected: 'selected selected.actorUuid selected.tokenUuid success',
  'short-rest':
    'data data.actorUuid data.result data.result.clone data.result.deltas data.result.deltas.hitDice data.result.deltas.hitPoints data.result.dhd data.result.dhp data.result.longRest data.result.newDay data.result.rolls data.result.type data.result.updateData data.result.updateItems',
  'skill-check': 'data data.actorUuid data.formula data.result data.skill data.total',
  'start-encounter':
    'encounter encounter.combatants encounter.combatants.actorUuid encounter.combatants.defeated encounter.combatants.hidden encounter.combatants.id encounter.combatants.img encounter.combatants.initiative encounter.combatants.name encounter.combatants.tokenUuid encounter.id encounter.name encounter.round encounter.turn encounterId',
  'stop-sound': 'data data.src data.stopped',
  structure: 'data',
  'switch-scene': 'data success',
  'transfer-currency':
    'data data.sourceActorUuid data.sourceBalance data.sourceBalance.cp data.sourceBalance.ep data.sourceBalance.gp data.sourceBalance.pp data.sourceBalance.sp data.targetActorUuid data.targetBalance data.targetBalance.cp data.targetBalance.ep data.targetBalance.gp data.targetBalance.pp data.targetBalance.sp data.transferred data.transferred.gp',
  update: 'entity uuid',
  'update-canvas-document': 'data documentType sceneId',
  'update-scene': 'data',
  'update-user':
    'data data.active data.avatar data.character data.color data.id data.isGM data.name data.role',
  'upload-file': 'path success',
  'use-ability': 'data data.ability data.uuid',
  'use-feature': 'data data.ability data.uuid',
  'use-item': 'data data.ability data.uuid',
  'use-spell': 'data data.ability data.uuid',
  'world-info':
    'data data.activeScene data.activeScene.id data.activeScene.name data.foundryVersion data.modules data.modules.active data.modules.id data.modules.title data.modules.version data.system data.system.id data.system.title data.system.version data.users data.users.active data.users.avatar data.users.color data.users.id data.users.isGM data.users.name data.users.role data.world data.world.id data.world.title',
};
