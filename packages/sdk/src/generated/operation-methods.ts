/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

import type { OperationTypes } from '@tabletop-relay/contract/types';
import type { Answer, CallOptions, RelayFile } from '../call.ts';

/** Combat encounters. */
export interface EncountersMethods {
  /** List the encounters of the world. Today’s modules leave hidden combatants out for a user who does not own their actors. Scope `encounter:read`. */
  encounters(parameters?: OperationTypes['encounters']['parameters'], options?: CallOptions): Promise<Answer<'encounters'>>;
  /** Start an encounter. Tokens may be named, taken from the selection, and taken from the players. Today’s modules add a token twice that is named and a player’s; others add each once. Scope `encounter:manage`. */
  startEncounter(parameters?: OperationTypes['start-encounter']['parameters'], options?: CallOptions): Promise<Answer<'start-encounter'>>;
  /** End an encounter. Scope `encounter:manage`. */
  endEncounter(parameters?: OperationTypes['end-encounter']['parameters'], options?: CallOptions): Promise<Answer<'end-encounter'>>;
  /** Go to the next turn. Past the last combatant the next round begins, at turn 0. Whether the defeated keep their turn is a setting of the tabletop. Scope `encounter:manage`. */
  nextTurn(parameters?: OperationTypes['next-turn']['parameters'], options?: CallOptions): Promise<Answer<'next-turn'>>;
  /** Go to the next round. Lands on turn 0. Scope `encounter:manage`. */
  nextRound(parameters?: OperationTypes['next-round']['parameters'], options?: CallOptions): Promise<Answer<'next-round'>>;
  /** Go back one turn. Before the first combatant it is the last turn of the round before. At round 1, turn 0 nothing changes. Scope `encounter:manage`. */
  lastTurn(parameters?: OperationTypes['last-turn']['parameters'], options?: CallOptions): Promise<Answer<'last-turn'>>;
  /** Go back one round. Lands on the last turn of the round before. At round 1 it goes to turn 0. Scope `encounter:manage`. */
  lastRound(parameters?: OperationTypes['last-round']['parameters'], options?: CallOptions): Promise<Answer<'last-round'>>;
  /** Add tokens to an encounter. A token that can’t be added is listed in `failed`; the others are added all the same. Today’s modules take an actor’s UUID too, for its first token on the scene in view, and with `rollInitiative` they roll for the whole encounter and answer before that has ended. Scope `encounter:manage`. */
  addToEncounter(parameters?: OperationTypes['add-to-encounter']['parameters'], options?: CallOptions): Promise<Answer<'add-to-encounter'>>;
  /** Remove tokens from an encounter. A token that can’t be removed is listed in `failed`; the others are removed all the same. Today’s modules find a token’s UUID only where the encounter belongs to the token’s scene. One that `start-encounter` made belongs to none: give the actor’s UUID there, or use `selected`. Scope `encounter:manage`. */
  removeFromEncounter(parameters?: OperationTypes['remove-from-encounter']['parameters'], options?: CallOptions): Promise<Answer<'remove-from-encounter'>>;
}

/** Fifth-edition actors. */
export interface Sys5eMethods {
  /** Read an actor’s resources, spells, items and more. The answer has the details that were asked for and no others. Today’s modules give them whole to every user who may at least see that the actor is there. Scope `sys5e:read`. */
  getActorDetails(parameters: OperationTypes['get-actor-details']['parameters'], options?: CallOptions): Promise<Answer<'get-actor-details'>>;
  /** Add or take away experience points. Scope `sys5e:write`. */
  modifyExperience(parameters: OperationTypes['modify-experience']['parameters'], options?: CallOptions): Promise<Answer<'modify-experience'>>;
  /** Roll a skill check. Scope `roll:execute`. */
  skillCheck(parameters: OperationTypes['skill-check']['parameters'], options?: CallOptions): Promise<Answer<'skill-check'>>;
  /** Roll a saving throw. Proficiency counts where the actor has it. Scope `roll:execute`. */
  abilitySave(parameters: OperationTypes['ability-save']['parameters'], options?: CallOptions): Promise<Answer<'ability-save'>>;
  /** Roll a raw ability check. No skill counts; for those use `skill-check`. Scope `roll:execute`. */
  abilityCheck(parameters: OperationTypes['ability-check']['parameters'], options?: CallOptions): Promise<Answer<'ability-check'>>;
  /** Roll a death saving throw. DC 10. Three successes stabilise, three failures kill; a natural 20 heals, a natural 1 counts as two failures. One who is not dying is refused. Today’s modules answer without a roll then, and never say `stable` or `healed`. Scope `roll:execute`. */
  deathSave(parameters: OperationTypes['death-save']['parameters'], options?: CallOptions): Promise<Answer<'death-save'>>;
  /** Tell whether an actor concentrates, and on what. Today’s modules do not read `selected`: without an actor’s UUID or name they refuse. Scope `sys5e:read`. */
  getConcentration(parameters?: OperationTypes['get-concentration']['parameters'], options?: CallOptions): Promise<Answer<'get-concentration'>>;
  /** End an actor’s concentration. Today’s modules do not read `selected`: without an actor’s UUID or name they refuse. They also refuse an actor that does not concentrate, and never answer `broken: false`. Scope `sys5e:write`. */
  breakConcentration(parameters?: OperationTypes['break-concentration']['parameters'], options?: CallOptions): Promise<Answer<'break-concentration'>>;
  /** Roll to keep concentration after damage. A constitution save against the higher of 10 and half the damage, rounded down. A failed one ends the concentration. Today’s modules refuse an actor that does not concentrate. Scope `roll:execute`. */
  concentrationSave(parameters: OperationTypes['concentration-save']['parameters'], options?: CallOptions): Promise<Answer<'concentration-save'>>;
  /** Take a short rest. Recovers hit points from hit dice, and the features that a short rest resets. Where the rules allow no rest, `result` is `{"completed": true}`. Scope `sys5e:write`. */
  shortRest(parameters?: OperationTypes['short-rest']['parameters'], options?: CallOptions): Promise<Answer<'short-rest'>>;
  /** Take a long rest. Recovers all hit points, spell slots, hit dice and features. Where the rules allow no rest, `result` is `{"completed": true}`. Scope `sys5e:write`. */
  longRest(parameters?: OperationTypes['long-rest']['parameters'], options?: CallOptions): Promise<Answer<'long-rest'>>;
  /** Add or spend an item’s charges. They stay between 0 and the item’s maximum. Today’s modules write all data of the item back, so what another changes in it meanwhile is lost. Scope `sys5e:write`. */
  modifyItemCharges(parameters: OperationTypes['modify-item-charges']['parameters'], options?: CallOptions): Promise<Answer<'modify-item-charges'>>;
  /** Equip or stow an item. Scope `sys5e:write`. */
  equipItem(parameters: OperationTypes['equip-item']['parameters'], options?: CallOptions): Promise<Answer<'equip-item'>>;
  /** Attune an item or end its attunement. Scope `sys5e:write`. */
  attuneItem(parameters: OperationTypes['attune-item']['parameters'], options?: CallOptions): Promise<Answer<'attune-item'>>;
  /** Give coins from one actor to another. The source’s funds are checked first; when they do not suffice nothing changes. Today’s modules write the two actors one after the other, so a world that is closed in between may keep one half. Scope `sys5e:write`. */
  transferCurrency(parameters: OperationTypes['transfer-currency']['parameters'], options?: CallOptions): Promise<Answer<'transfer-currency'>>;
  /** Add or take coins of an actor. A balance never falls below 0, and `delta` repeats `amount` even then. Today’s modules do not check whether the user owns the actor. Scope `sys5e:write`. */
  modifyCurrency(parameters: OperationTypes['modify-currency']['parameters'], options?: CallOptions): Promise<Answer<'modify-currency'>>;
  /** Prepare a spell, or end that. Today’s modules write the field of the system’s versions up to 4 (`system.preparation.prepared`), so with a later one the spell stays as it was though the answer says otherwise. They do not check whether the user owns the actor. Scope `sys5e:write`. */
  prepareSpell(parameters: OperationTypes['prepare-spell']['parameters'], options?: CallOptions): Promise<Answer<'prepare-spell'>>;
  /** Use an ability. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`. */
  useAbility(parameters: OperationTypes['use-ability']['parameters'], options?: CallOptions): Promise<Answer<'use-ability'>>;
  /** Use a feature. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`. */
  useFeature(parameters: OperationTypes['use-feature']['parameters'], options?: CallOptions): Promise<Answer<'use-feature'>>;
  /** Use a spell. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. They do not read `level`: a spell is cast at its own. Scope `sys5e:write`. */
  useSpell(parameters: OperationTypes['use-spell']['parameters'], options?: CallOptions): Promise<Answer<'use-spell'>>;
  /** Use an item. Today’s modules use the first activity that it has. They answer `roll` from Foundry 13 on, where the activity is an attack, and `damageRolls` where the module Midi-QOL is active. Scope `sys5e:write`. */
  useItem(parameters: OperationTypes['use-item']['parameters'], options?: CallOptions): Promise<Answer<'use-item'>>;
}

/** Selection, users and world. */
export interface UtilityMethods {
  /** Select tokens on the canvas. Tokens of the active scene that match any of what is given are selected; an empty `uuids` with `overwrite` selects none. Today’s modules refuse where none matches, and any `data` under Foundry 14. They answer those that matched, without what was selected before. Scope `canvas:control`. */
  select(parameters?: OperationTypes['select']['parameters'], options?: CallOptions): Promise<Answer<'select'>>;
  /** List the selected tokens. Today’s modules refuse while no scene is active. Scope `entity:read`. */
  selected(parameters?: OperationTypes['selected']['parameters'], options?: CallOptions): Promise<Answer<'selected'>>;
  /** List the users of the world. Their ids and names are what `userId` takes. Today’s modules answer an empty list where `userId` is no game master. Scope `user:read`. */
  players(parameters?: OperationTypes['players']['parameters'], options?: CallOptions): Promise<Answer<'players'>>;
  /** Describe the world: system, versions, modules, users, scene. Scope `world:read`. */
  worldInfo(parameters?: OperationTypes['world-info']['parameters'], options?: CallOptions): Promise<Answer<'world-info'>>;
}

/** Documents of any kind. */
export interface EntitiesMethods {
  /** Read a document of any kind. With `selected` the answer holds a list of documents, and `uuid` is that of the last. A user who may only see that a document is there gets its `uuid`, `name`, `type` and `img`. The wire name is `entity`. Scope `entity:read`. */
  entity(parameters?: OperationTypes['entity']['parameters'], options?: CallOptions): Promise<Answer<'entity'>>;
  /** Create a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Where `data` has the `_id` of a document that is there, the call fails unless `override` is true. Scope `entity:write`. */
  create(parameters: OperationTypes['create']['parameters'], options?: CallOptions): Promise<Answer<'create'>>;
  /** Change a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Scope `entity:write`. */
  update(parameters: OperationTypes['update']['parameters'], options?: CallOptions): Promise<Answer<'update'>>;
  /** Delete a document of any kind. Changing a macro also needs the scope `macro:write`, and the world’s setting that allows it. Changing a user needs `user:write`, and what can run scripts (a setting, a region’s behaviour, data with a macro or a script anywhere in it) needs `script:execute`. Scope `entity:write`. */
  delete(parameters?: OperationTypes['delete']['parameters'], options?: CallOptions): Promise<Answer<'delete'>>;
  /** Give an item to an actor. From another actor the item moves; without `fromUuid` it is copied. An item that is named and has no `fromUuid` is looked for in the world and its compendiums. Scope `entity:write`. */
  give(parameters?: OperationTypes['give']['parameters'], options?: CallOptions): Promise<Answer<'give'>>;
  /** Take an item away from an actor. Scope `entity:write`. */
  remove(parameters?: OperationTypes['remove']['parameters'], options?: CallOptions): Promise<Answer<'remove'>>;
  /** Add to a number of a document. Scope `entity:write`. */
  increase(parameters: OperationTypes['increase']['parameters'], options?: CallOptions): Promise<Answer<'increase'>>;
  /** Take from a number of a document. Scope `entity:write`. */
  decrease(parameters: OperationTypes['decrease']['parameters'], options?: CallOptions): Promise<Answer<'decrease'>>;
  /** Mark creatures as dead. Sets hit points to 0, marks the token as dead and the combatant as defeated. Takes a token or an actor. Scope `entity:write`. */
  kill(parameters?: OperationTypes['kill']['parameters'], options?: CallOptions): Promise<Answer<'kill'>>;
}

/** Search and folders. */
export interface StructureMethods {
  /** Search the world and its compendiums. The answer holds at most 500 hits. A user without any right to a document does not find it, and one who may only see that it is there finds it minified. Today’s modules need another module for it (Quick Insert) and fail without. Scope `search:read`. */
  search(parameters?: OperationTypes['search']['parameters'], options?: CallOptions): Promise<Answer<'search'>>;
  /** List folders, documents and compendiums. The answer grows with the world: with `includeEntityData` it can have many megabytes, and one above 16 MiB fails. Ask for `types`, or for one folder with `path`, to keep it small. Folders stand under their names, so of two with one name the answer holds the later. Scope `structure:read`. */
  structure(parameters?: OperationTypes['structure']['parameters'], options?: CallOptions): Promise<Answer<'structure'>>;
  /** Find a folder by its name. Scope `structure:read`. */
  getFolder(parameters: OperationTypes['get-folder']['parameters'], options?: CallOptions): Promise<Answer<'get-folder'>>;
  /** Create a folder. Scope `structure:write`. */
  createFolder(parameters: OperationTypes['create-folder']['parameters'], options?: CallOptions): Promise<Answer<'create-folder'>>;
  /** Delete a folder. Scope `structure:write`. */
  deleteFolder(parameters: OperationTypes['delete-folder']['parameters'], options?: CallOptions): Promise<Answer<'delete-folder'>>;
}

/** Users. */
export interface UsersMethods {
  /** List the users with their characters. Scope `user:read`. */
  getUsers(parameters?: OperationTypes['get-users']['parameters'], options?: CallOptions): Promise<Answer<'get-users'>>;
  /** Read a user. Scope `user:read`. */
  getUser(parameters?: OperationTypes['get-user']['parameters'], options?: CallOptions): Promise<Answer<'get-user'>>;
  /** Add a user. The role may be that of a game master. Scope `user:write`. */
  createUser(parameters: OperationTypes['create-user']['parameters'], options?: CallOptions): Promise<Answer<'create-user'>>;
  /** Change a user. The last game master cannot be made less. Data with a macro or a script anywhere in it also needs `script:execute`. Scope `user:write`. */
  updateUser(parameters: OperationTypes['update-user']['parameters'], options?: CallOptions): Promise<Answer<'update-user'>>;
  /** Remove a user. Neither the last game master nor the user of the connected browser can be removed. Scope `user:write`. */
  deleteUser(parameters?: OperationTypes['delete-user']['parameters'], options?: CallOptions): Promise<Answer<'delete-user'>>;
}

/** Effects and conditions. */
export interface EffectsMethods {
  /** List the conditions that the world knows. Today’s modules ignore `userId` here. Scope `effects:read`. */
  getStatusEffects(parameters?: OperationTypes['get-status-effects']['parameters'], options?: CallOptions): Promise<Answer<'get-status-effects'>>;
  /** List the effects on an actor or a token. Scope `effects:read`. */
  getEffects(parameters: OperationTypes['get-effects']['parameters'], options?: CallOptions): Promise<Answer<'get-effects'>>;
  /** Put a condition or an effect on an actor. A condition that is there already is refused. An effect with a macro or a script in its fields also needs `script:execute`. Scope `effects:write`. */
  addEffect(parameters: OperationTypes['add-effect']['parameters'], options?: CallOptions): Promise<Answer<'add-effect'>>;
  /** Take a condition or an effect from an actor. Scope `effects:write`. */
  removeEffect(parameters: OperationTypes['remove-effect']['parameters'], options?: CallOptions): Promise<Answer<'remove-effect'>>;
}

/** Dice. */
export interface RollsMethods {
  /** List the last rolls. A world remembers its last 20 rolls. Today’s modules remember a roll of the chat only while their channel of rolls is on. The relay keeps it on while a key with `roll:read` may reach the world: rolls of the time before are missing. The master key alone does not keep it on. Scope `roll:read`. */
  rolls(parameters?: OperationTypes['rolls']['parameters'], options?: CallOptions): Promise<Answer<'rolls'>>;
  /** Read the last roll. A world remembers its last 20 rolls. Today’s modules remember a roll of the chat only while their channel of rolls is on. The relay keeps it on while a key with `roll:read` may reach the world: rolls of the time before are missing. The master key alone does not keep it on. Scope `roll:read`. */
  lastRoll(parameters?: OperationTypes['last-roll']['parameters'], options?: CallOptions): Promise<Answer<'last-roll'>>;
  /** Roll a formula. Scope `roll:execute`. */
  roll(parameters: OperationTypes['roll']['parameters'], options?: CallOptions): Promise<Answer<'roll'>>;
}

/** Chat. */
export interface ChatMethods {
  /** Read the chat. Newest first. Whispers are seen by their author, their recipients and game masters. Messages hold HTML of any length, so a page of many can have megabytes: ask for fewer, and use `offset`. Scope `chat:read`. */
  chatMessages(parameters?: OperationTypes['chat-messages']['parameters'], options?: CallOptions): Promise<Answer<'chat-messages'>>;
  /** Send a chat message. Scope `chat:write`. */
  chatSend(parameters: OperationTypes['chat-send']['parameters'], options?: CallOptions): Promise<Answer<'chat-send'>>;
  /** Delete a chat message. Scope `chat:write`. */
  chatDelete(parameters: OperationTypes['chat-delete']['parameters'], options?: CallOptions): Promise<Answer<'chat-delete'>>;
  /** Delete the whole chat. Scope `chat:write`. */
  chatFlush(parameters?: OperationTypes['chat-flush']['parameters'], options?: CallOptions): Promise<Answer<'chat-flush'>>;
}

/** Macros and scripts. */
export interface MacrosMethods {
  /** List the macros with their code. A user gets those that the user may at least see. One macro is read by `GET /get`, and made, changed and deleted by `POST /create`, `PUT /update` and `DELETE /delete`, which then need `macro:write`. Scope `macro:read`. */
  macros(parameters?: OperationTypes['macros']['parameters'], options?: CallOptions): Promise<Answer<'macros'>>;
  /** Run a macro. A setting of the world must allow it, which is off at first, and `userId` must own the macro. It runs as the connected game master, whoever `userId` is. A result that is no object comes as `{"value": ...}`. Scope `macro:execute`. */
  macroExecute(parameters: OperationTypes['macro-execute']['parameters'], options?: CallOptions): Promise<Answer<'macro-execute'>>;
  /** Run a script. The script is the body of an asynchronous function, and what it returns must be JSON. A setting of the world must allow it, which is off at first, and the role of `userId` must be high enough for another. Modules refuse a script that would change their own settings, and whisper to the game masters what was run. Scope `script:execute`. */
  executeJs(parameters: OperationTypes['execute-js']['parameters'], options?: CallOptions): Promise<Answer<'execute-js'>>;
}

/** Files. */
export interface FilesMethods {
  /** List the files of a folder. Scope `file:read`. */
  fileSystem(parameters?: OperationTypes['file-system']['parameters'], options?: CallOptions): Promise<Answer<'file-system'>>;
  /** Upload a file. A file may have 11 MiB: as the raw body, as the one file of a form (`multipart/form-data`), or in JSON as `fileData`. `binaryData` in JSON may have 1 MiB. Folders that are missing are made. A file that is there is replaced only where `overwrite` says so. Today’s modules refuse it with `skipIfExists` too: the call fails, it is not skipped. Their own upload has 10 s. Scope `file:write`. */
  uploadFile(parameters: Omit<OperationTypes['upload-file']['parameters'], 'fileData'> & { fileData: OperationTypes['upload-file']['parameters']['fileData'] | Uint8Array | Blob }, options?: CallOptions): Promise<Answer<'upload-file'>>;
  /** Download a file. A file may have about 11 MiB, since it comes in one frame of at most 16 MiB. Modules would also fetch an address of the web here, from the game master’s browser; the relay refuses that. They do not read `source`. Scope `file:read`. */
  downloadFile(parameters: OperationTypes['download-file']['parameters'], options?: CallOptions): Promise<RelayFile>;
}

/** Sheets. */
export interface SheetsMethods {
  /** Take a picture of a sheet. The sheet opens in the game master’s browser for as long as the picture takes. Of several selected tokens today’s modules take the first. The picture may have about 11 MiB, since it comes in one frame of at most 16 MiB. Scope `sheet:read`. */
  sheetScreenshot(parameters?: OperationTypes['sheet-screenshot']['parameters'], options?: CallOptions): Promise<RelayFile>;
}

/** Scenes. */
export interface ScenesMethods {
  /** Read a scene, or all of them. The answer holds whole scenes with all that lies on them. With `all` it grows with the world: it can have many megabytes, and one above 16 MiB fails; read one scene, or `/canvas/walls` and the like, to keep it small. A user who may only see that a scene is there gets its `uuid`, `name`, `type` and `img`. Scope `scene:read`. */
  getScene(parameters?: OperationTypes['get-scene']['parameters'], options?: CallOptions): Promise<Answer<'get-scene'>>;
  /** Create a scene. A scene whose data embeds behaviours of regions also needs the scope `script:execute`, because a behaviour can run a script. Scope `scene:write`. */
  createScene(parameters: OperationTypes['create-scene']['parameters'], options?: CallOptions): Promise<Answer<'create-scene'>>;
  /** Change a scene. A scene whose data embeds behaviours of regions also needs the scope `script:execute`, because a behaviour can run a script. In Foundry 14 `background` and `foreground` go to the scene’s first level. Scope `scene:write`. */
  updateScene(parameters: OperationTypes['update-scene']['parameters'], options?: CallOptions): Promise<Answer<'update-scene'>>;
  /** Delete a scene with all that lies on it. Scope `scene:write`. */
  deleteScene(parameters?: OperationTypes['delete-scene']['parameters'], options?: CallOptions): Promise<Answer<'delete-scene'>>;
  /** Make a scene the active one. All players see it then. A user must be a game master. Scope `scene:write`. */
  switchScene(parameters?: OperationTypes['switch-scene']['parameters'], options?: CallOptions): Promise<Answer<'switch-scene'>>;
  /** Take a picture of the scene as it looks. It shows the scene that the game master’s browser shows, and no other: switch to a scene first. Without `sceneId` and `active` that scene is taken. With `userId` it is seen as that user sees it. Today’s modules take one picture at a time, make it as large as the scene itself, and cut `width` and `height` out of its middle; a picture above about 12 MB never arrives, so ask for `jpeg` where scenes are large. Scope `scene:read`. */
  sceneScreenshot(parameters?: OperationTypes['scene-screenshot']['parameters'], options?: CallOptions): Promise<RelayFile>;
  /** Fetch the background image of a scene. Without `sceneId` and `active` it is that of the scene that the game master’s browser shows. The answer is JSON, and the picture itself where `Accept` asks for one (`image/*`). Today’s modules let any user have it, and answer without it where their browser cannot fetch the file: asked for the picture, the call then fails. Scope `scene:read`. */
  sceneRawImage(parameters?: OperationTypes['scene-raw-image']['parameters'], options?: CallOptions): Promise<RelayFile>;
}

/** Canvas. */
export interface CanvasMethods {
  /** List what lies on a scene. The answer holds all documents of the kind: a large scene has thousands of walls, which are a few megabytes; one above 16 MiB fails. Some of today’s modules know no `regions`. Scope `canvas:read`. */
  getCanvasDocuments(parameters: OperationTypes['get-canvas-documents']['parameters'], options?: CallOptions): Promise<Answer<'get-canvas-documents'>>;
  /** Put documents on a scene. A region whose data embeds behaviours also needs the scope `script:execute`, because a behaviour can run a script. Scope `canvas:write`. */
  createCanvasDocument(parameters: OperationTypes['create-canvas-document']['parameters'], options?: CallOptions): Promise<Answer<'create-canvas-document'>>;
  /** Change a document on a scene. A region whose data embeds behaviours also needs the scope `script:execute`, because a behaviour can run a script. Today’s modules answer an empty list where nothing changed. Scope `canvas:write`. */
  updateCanvasDocument(parameters: OperationTypes['update-canvas-document']['parameters'], options?: CallOptions): Promise<Answer<'update-canvas-document'>>;
  /** Take documents from a scene. Scope `canvas:write`. */
  deleteCanvasDocument(parameters: OperationTypes['delete-canvas-document']['parameters'], options?: CallOptions): Promise<Answer<'delete-canvas-document'>>;
  /** Move a token. Coordinates are the scene’s own: mostly pixels from its top left, in the demo world squares. A user must be a game master. Animated, today’s modules take 0.3 s for each waypoint and the call waits 10 s: send at most 30, or `animate` as false. Scope `canvas:write`. */
  moveToken(parameters: OperationTypes['move-token']['parameters'], options?: CallOptions): Promise<Answer<'move-token'>>;
  /** Measure the distance between two places. A place is a token, by UUID or name, or a point by its coordinates, which are the scene’s own. Coordinates count before a token. Scope `canvas:read`. */
  measureDistance(parameters?: OperationTypes['measure-distance']['parameters'], options?: CallOptions): Promise<Answer<'measure-distance'>>;
}

/** Playlists and sounds. */
export interface PlaylistsMethods {
  /** List the playlists and what is playing. Today’s modules show every user all of them. The answer grows with the world: thousands of sounds are some hundred kilobytes, and an answer above 16 MiB fails. Scope `playlist:read`. */
  getPlaylists(parameters?: OperationTypes['get-playlists']['parameters'], options?: CallOptions): Promise<Answer<'get-playlists'>>;
  /** Play a playlist, or one sound of it. Without a sound it plays by the playlist’s own mode. A user must be a game master. Scope `playlist:control`. */
  playlistPlay(parameters?: OperationTypes['playlist-play']['parameters'], options?: CallOptions): Promise<Answer<'playlist-play'>>;
  /** Stop a playlist. A user must be a game master. Scope `playlist:control`. */
  playlistStop(parameters?: OperationTypes['playlist-stop']['parameters'], options?: CallOptions): Promise<Answer<'playlist-stop'>>;
  /** Go on to the next sound of a playlist. A user must be a game master. Scope `playlist:control`. */
  playlistNext(parameters?: OperationTypes['playlist-next']['parameters'], options?: CallOptions): Promise<Answer<'playlist-next'>>;
  /** Set the volume of a playlist, or of one sound of it. Without a sound today’s modules set the volume of the playlist as a whole, which the answer does not show. A user must be a game master. Scope `playlist:control`. */
  playlistVolume(parameters: OperationTypes['playlist-volume']['parameters'], options?: CallOptions): Promise<Answer<'playlist-volume'>>;
  /** Play a sound once for everyone. The browser of each player who is in the world loads it and plays it. A user must be a game master. Scope `playlist:control`. */
  playSound(parameters: OperationTypes['play-sound']['parameters'], options?: CallOptions): Promise<Answer<'play-sound'>>;
  /** Stop a sound, or all of them. Today’s modules stop sounds in the game master’s browser alone: players hear them to their end. A user must be a game master. Scope `playlist:control`. */
  stopSound(parameters?: OperationTypes['stop-sound']['parameters'], options?: CallOptions): Promise<Answer<'stop-sound'>>;
}

/** The operations of a relay by their groups. */
export interface OperationMethods {
  encounters: EncountersMethods;
  sys5e: Sys5eMethods;
  utility: UtilityMethods;
  entities: EntitiesMethods;
  structure: StructureMethods;
  users: UsersMethods;
  effects: EffectsMethods;
  rolls: RollsMethods;
  chat: ChatMethods;
  macros: MacrosMethods;
  files: FilesMethods;
  sheets: SheetsMethods;
  scenes: ScenesMethods;
  canvas: CanvasMethods;
  playlists: PlaylistsMethods;
}
