// oxlint-disable max-lines -- It is one list of facts, by call.

/** The version of the other relay, and of its module, whose facts these are. */
export const theirVersion = '3.4.1';

/** One call of the other relay. */
export interface TheirCall {
  scope?: string;
  /** `name:type@places` of each parameter, with `!` behind the name where it is demanded. */
  takes?: string;
  /** The fields of the answer, where the relay itself answers. Those of worlds are facts of the module. */
  answers?: string;
}

/** The parameters of each relayed call, beside its own. */
export const onEveryCall = 'clientId:string@query userId:string@query,body';

/** The calls that a world answers. */
export const theirCalls: Readonly<Record<string, TheirCall>> = {
  'GET /canvas/:documentType': {
    scope: 'canvas:read',
    takes: 'documentType!:string@path sceneId:string@query documentId:string@query',
  },
  'GET /measure-distance': {
    scope: 'canvas:read',
    takes:
      'originX:number@body,query originY:number@body,query targetX:number@body,query targetY:number@body,query originUuid:string@body,query originName:string@body,query targetUuid:string@body,query targetName:string@body,query sceneId:string@body,query',
  },
  'POST /canvas/:documentType': {
    scope: 'canvas:write',
    takes: 'documentType!:string@path data!:object@body sceneId:string@body,query',
  },
  'PUT /canvas/:documentType': {
    scope: 'canvas:write',
    takes:
      'documentType!:string@path documentId!:string@body,query data!:object@body sceneId:string@body,query',
  },
  'DELETE /canvas/:documentType': {
    scope: 'canvas:write',
    takes: 'documentType!:string@path documentId!:string@query sceneId:string@query',
  },
  'POST /move-token': {
    scope: 'canvas:write',
    takes:
      'x!:number@body,query y!:number@body,query uuid:string@body,query name:string@body,query waypoints:array@body,query animate:boolean@body,query sceneId:string@body,query',
  },
  'GET /chat': {
    scope: 'chat:read',
    takes: 'limit:number@query offset:number@query chatType:number@query speaker:string@query',
  },
  'POST /chat': {
    scope: 'chat:write',
    takes:
      'content!:string@body whisper:array@body speaker:string@body alias:string@body chatType:number@body flavor:string@body',
  },
  'DELETE /chat/:messageId': { scope: 'chat:write', takes: 'messageId!:string@path' },
  'DELETE /chat': { scope: 'chat:write' },
  'GET /dnd5e/get-actor-details': {
    scope: 'dnd5e',
    takes: 'actorUuid!:string@body,query details!:array@body,query',
  },
  'POST /dnd5e/modify-item-charges': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query amount!:number@body,query itemUuid:string@body,query itemName:string@body,query',
  },
  'POST /dnd5e/short-rest': {
    scope: 'dnd5e',
    takes:
      'actorUuid:string@body,query selected:boolean@query,body autoHD:boolean@body,query autoHDThreshold:number@body,query',
  },
  'POST /dnd5e/long-rest': {
    scope: 'dnd5e',
    takes: 'actorUuid:string@body,query selected:boolean@query,body newDay:boolean@body,query',
  },
  'POST /dnd5e/skill-check': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query skill!:string@body,query advantage:boolean@body,query disadvantage:boolean@body,query bonus:string@body,query createChatMessage:boolean@body,query',
  },
  'POST /dnd5e/ability-save': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query ability!:string@body,query advantage:boolean@body,query disadvantage:boolean@body,query bonus:string@body,query createChatMessage:boolean@body,query',
  },
  'POST /dnd5e/ability-check': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query ability!:string@body,query advantage:boolean@body,query disadvantage:boolean@body,query bonus:string@body,query createChatMessage:boolean@body,query',
  },
  'POST /dnd5e/death-save': {
    scope: 'dnd5e',
    takes: 'actorUuid!:string@body,query advantage:boolean@body,query createChatMessage:boolean@body,query',
  },
  'POST /dnd5e/modify-experience': {
    scope: 'dnd5e',
    takes: 'amount!:number@body,query actorUuid:string@body,query selected:boolean@query,body',
  },
  'GET /dnd5e/concentration': {
    scope: 'dnd5e',
    takes: 'actorUuid:string@body,query actorName:string@body,query',
  },
  'POST /dnd5e/break-concentration': {
    scope: 'dnd5e',
    takes: 'actorUuid:string@body,query actorName:string@body,query',
  },
  'POST /dnd5e/concentration-save': {
    scope: 'dnd5e',
    takes:
      'damage!:number@body,query actorUuid:string@body,query actorName:string@body,query advantage:boolean@body,query disadvantage:boolean@body,query bonus:string@body,query createChatMessage:boolean@body,query',
  },
  'POST /dnd5e/equip-item': {
    scope: 'dnd5e',
    takes:
      'equipped!:boolean@body,query actorUuid:string@body,query actorName:string@body,query itemUuid:string@body,query itemName:string@body,query',
  },
  'POST /dnd5e/attune-item': {
    scope: 'dnd5e',
    takes:
      'attuned!:boolean@body,query actorUuid:string@body,query actorName:string@body,query itemUuid:string@body,query itemName:string@body,query',
  },
  'POST /dnd5e/transfer-currency': {
    scope: 'dnd5e',
    takes:
      'currency!:object@body,query sourceActorUuid:string@body,query sourceActorName:string@body,query targetActorUuid:string@body,query targetActorName:string@body,query',
  },
  'POST /dnd5e/modify-currency': {
    scope: 'dnd5e',
    takes: 'actorUuid!:string@body,query currency!:string@body,query amount!:number@body,query',
  },
  'POST /dnd5e/prepare-spell': {
    scope: 'dnd5e',
    takes: 'actorUuid!:string@body,query spellName!:string@body,query prepared!:boolean@body,query',
  },
  'POST /dnd5e/use-ability': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query abilityUuid:string@body,query abilityName:string@body,query targetUuid:string@body,query targetName:string@body,query',
  },
  'POST /dnd5e/use-feature': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query abilityUuid:string@body,query abilityName:string@body,query targetUuid:string@body,query targetName:string@body,query',
  },
  'POST /dnd5e/use-spell': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query abilityUuid:string@body,query abilityName:string@body,query targetUuid:string@body,query targetName:string@body,query',
  },
  'POST /dnd5e/use-item': {
    scope: 'dnd5e',
    takes:
      'actorUuid!:string@body,query abilityUuid:string@body,query abilityName:string@body,query targetUuid:string@body,query targetName:string@body,query',
  },
  'GET /effects': { scope: 'effects:read', takes: 'uuid!:string@body,query' },
  'GET /effects/list': { scope: 'effects:read' },
  'POST /effects': {
    scope: 'effects:write',
    takes: 'uuid!:string@body,query statusId:string@body,query effectData:object@body,query',
  },
  'DELETE /effects': {
    scope: 'effects:write',
    takes: 'uuid!:string@body,query effectId:string@body,query statusId:string@body,query',
  },
  'GET /encounters': { scope: 'encounter:read' },
  'POST /start-encounter': {
    scope: 'encounter:manage',
    takes:
      'tokens:array@body startWithSelected:boolean@body startWithPlayers:boolean@body rollNPC:boolean@body rollAll:boolean@body name:string@body',
  },
  'POST /next-turn': { scope: 'encounter:manage', takes: 'encounter:string@body,query' },
  'POST /next-round': { scope: 'encounter:manage', takes: 'encounter:string@body,query' },
  'POST /last-turn': { scope: 'encounter:manage', takes: 'encounter:string@body,query' },
  'POST /last-round': { scope: 'encounter:manage', takes: 'encounter:string@body,query' },
  'POST /end-encounter': { scope: 'encounter:manage', takes: 'encounter:string@body,query' },
  'POST /add-to-encounter': {
    scope: 'encounter:manage',
    takes:
      'encounter:string@body,query selected:boolean@query,body uuids:array@body rollInitiative:boolean@body',
  },
  'POST /remove-from-encounter': {
    scope: 'encounter:manage',
    takes: 'encounter:string@body,query selected:boolean@query,body uuids:array@body',
  },
  'GET /get': {
    scope: 'entity:read',
    takes: 'uuid:string@query selected:boolean@query,body actor:boolean@query',
  },
  'POST /create': {
    scope: 'entity:write',
    takes:
      'entityType!:string@body data!:object@body folder:string@body keepId:boolean@body,query override:boolean@body,query',
  },
  'PUT /update': {
    scope: 'entity:write',
    takes: 'data!:object@body uuid:string@query selected:boolean@query,body actor:boolean@query',
  },
  'DELETE /delete': { scope: 'entity:write', takes: 'uuid:string@query selected:boolean@query,body' },
  'POST /give': {
    scope: 'entity:write',
    takes:
      'fromUuid:string@body toUuid:string@body selected:boolean@query,body itemUuid:string@body itemName:string@body quantity:number@body',
  },
  'POST /remove': {
    scope: 'entity:write',
    takes:
      'actorUuid:string@body selected:boolean@query,body itemUuid:string@body itemName:string@body quantity:number@body',
  },
  'POST /decrease': {
    scope: 'entity:write',
    takes: 'attribute!:string@body amount!:number@body uuid:string@query selected:boolean@query,body',
  },
  'POST /increase': {
    scope: 'entity:write',
    takes: 'attribute!:string@body amount!:number@body uuid:string@query selected:boolean@query,body',
  },
  'POST /kill': { scope: 'entity:write', takes: 'uuid:string@query selected:boolean@query,body' },
  'GET /file-system': {
    scope: 'file:read',
    takes: 'path:string@query source:string@query recursive:boolean@query',
  },
  'GET /download': { scope: 'file:read', takes: 'path:string@query source:string@query format:string@query' },
  'POST /upload': {
    scope: 'file:write',
    takes:
      'path:string@query,body filename:string@query,body source:string@query,body mimeType:string@query,body overwrite:boolean@query,body fileData:string@body',
  },
  'GET /macros': { scope: 'macro:list' },
  'POST /macro/:uuid/execute': { scope: 'macro:execute', takes: 'uuid!:string@path args:object@body' },
  'GET /playlists': { scope: 'playlist:control' },
  'POST /playlist/play': {
    scope: 'playlist:control',
    takes:
      'playlistId:string@body,query playlistName:string@body,query soundId:string@body,query soundName:string@body,query',
  },
  'POST /playlist/stop': {
    scope: 'playlist:control',
    takes: 'playlistId:string@body,query playlistName:string@body,query',
  },
  'POST /playlist/next': {
    scope: 'playlist:control',
    takes: 'playlistId:string@body,query playlistName:string@body,query',
  },
  'POST /playlist/volume': {
    scope: 'playlist:control',
    takes:
      'volume!:number@body,query playlistId:string@body,query playlistName:string@body,query soundId:string@body,query soundName:string@body,query',
  },
  'POST /stop-sound': { scope: 'playlist:control', takes: 'src:string@body,query' },
  'GET /rolls': { scope: 'roll:read', takes: 'limit:number@query' },
  'GET /lastroll': { scope: 'roll:read' },
  'POST /roll': {
    scope: 'roll:execute',
    takes:
      'formula!:string@body flavor:string@body createChatMessage:boolean@body speaker:string@body whisper:array@body',
  },
  'GET /scene': {
    scope: 'scene:read',
    takes:
      'sceneId:string@query name:string@query active:boolean@query viewed:boolean@query all:boolean@query',
  },
  'GET /scene/image/raw': {
    scope: 'scene:read',
    takes: 'sceneId:string@body,query active:boolean@body,query',
  },
  'POST /scene': { scope: 'scene:write', takes: 'data!:object@body' },
  'PUT /scene': {
    scope: 'scene:write',
    takes: 'data!:object@body sceneId:string@body,query name:string@body,query active:boolean@body,query',
  },
  'DELETE /scene': { scope: 'scene:write', takes: 'sceneId:string@query name:string@query' },
  'POST /switch-scene': { scope: 'scene:write', takes: 'sceneId:string@body,query name:string@body,query' },
  'GET /scene/image': {
    scope: 'scene:read',
    takes:
      'sceneId:string@query active:boolean@query format:string@query quality:number@query viewport:boolean@query width:number@query height:number@query showGrid:boolean@query hideOverlays:boolean@query',
  },
  'GET /search': {
    scope: 'search',
    takes:
      'query:string@query filter:string@query excludeCompendiums:boolean@query limit:number@query minified:boolean@query ownedByUserId:string@query',
  },
  'GET /sheet': {
    scope: 'sheet:read',
    takes:
      'uuid:string@query selected:boolean@query actor:boolean@query format:string@query quality:number@query scale:number@query',
  },
  'GET /structure': {
    scope: 'structure:read',
    takes:
      'includeEntityData:boolean@query path:string@query recursive:boolean@query recursiveDepth:number@query types:string@query',
  },
  'GET /get-folder': { scope: 'structure:read', takes: 'name!:string@body,query' },
  'POST /create-folder': {
    scope: 'structure:write',
    takes: 'name!:string@body,query folderType!:string@body,query parentFolderId:string@body,query',
  },
  'DELETE /delete-folder': {
    scope: 'structure:write',
    takes: 'folderId!:string@body,query deleteAll:boolean@body,query',
  },
  'GET /users': { scope: 'user:read' },
  'GET /user': { scope: 'user:read', takes: 'id:string@query name:string@query' },
  'POST /user': { scope: 'user:write', takes: 'name!:string@body role:number@body password:string@body' },
  'PUT /user': {
    scope: 'user:write',
    takes: 'data!:object@body id:string@body,query name:string@body,query',
  },
  'DELETE /user': { scope: 'user:write', takes: 'id:string@query name:string@query' },
  'POST /select': {
    scope: 'entity:read',
    takes: 'uuids:array@body name:string@body data:object@body overwrite:boolean@body all:boolean@body',
  },
  'GET /selected': { scope: 'entity:read' },
  'GET /players': { scope: 'entity:read' },
  'GET /world-info': { scope: 'world:info' },
  'POST /execute-js': { scope: 'execute-js', takes: 'script:string@body' },
  'POST /play-sound': {
    scope: 'playlist:control',
    takes: 'src!:string@body,query volume:number@body,query loop:boolean@body,query',
  },
};

/** The calls that the relay itself answers. */
export const theirOwnCalls: Readonly<Record<string, TheirCall>> = {
  'POST /auth/key-request': {
    takes:
      'appName!:string@body scopes!:array@body appDescription:string@body appUrl:string@body callbackUrl:string@body clientIds:array@body suggestedMonthlyLimit:number@body suggestedExpiry:string@body',
    answers: 'code approvalUrl expiresIn expiresAt',
  },
  'GET /auth/key-request/:code/status': {
    takes: 'code!:string@path',
    answers: 'status apiKey scopes clientIds',
  },
  'POST /auth/key-request/exchange': { takes: 'code!:string@body', answers: 'apiKey scopes clientIds' },
  'GET /clients': {
    scope: 'clients:read',
    answers:
      'total clients.clientId clients.instanceId clients.lastSeen clients.connectedSince clients.worldId clients.worldTitle clients.foundryVersion clients.systemId clients.systemTitle clients.systemVersion clients.publicUrl clients.ipAddress clients.tokenName clients.isOnline',
  },
  'POST /session-handshake': {
    scope: 'session:manage',
    takes: 'x-foundry-url!:string@header x-username!:string@header x-world-name:string@header',
    answers: 'token publicKey nonce',
  },
  'POST /start-session': {
    scope: 'session:manage',
    takes: 'handshakeToken!:string@body encryptedPassword!:string@body captureBrowserConsole:string@body',
    answers: 'success sessionId clientId',
  },
  'DELETE /end-session': {
    scope: 'session:manage',
    takes: 'sessionId!:string@query',
    answers: 'status message',
  },
  'GET /session': {
    scope: 'session:manage',
    answers:
      'activeSessions.clientId activeSessions.foundryUrl activeSessions.foundryVersion activeSessions.lastActivity activeSessions.sessionId activeSessions.startedAt activeSessions.systemId activeSessions.systemTitle activeSessions.systemVersion activeSessions.username activeSessions.worldId activeSessions.worldName activeSessions.worldTitle',
  },
};

/** The streams of events. */
export const theirStreams: Readonly<Record<string, TheirCall>> = {
  'GET /chat/subscribe': {
    scope: 'events:subscribe',
    takes:
      'clientId:string@query speaker:string@query type:number@query whisperOnly:boolean@query userId:string@query',
  },
  'GET /hooks/subscribe': {
    scope: 'events:subscribe',
    takes:
      'clientId:string@query hooks:string@query encounterId:string@query actorUuid:string@query sceneId:string@query',
  },
  'GET /encounters/subscribe': {
    scope: 'events:subscribe',
    takes:
      'clientId:string@query hooks:string@query encounterId:string@query actorUuid:string@query sceneId:string@query',
  },
  'GET /actor/subscribe': {
    scope: 'events:subscribe',
    takes:
      'clientId:string@query hooks:string@query encounterId:string@query actorUuid:string@query sceneId:string@query',
  },
  'GET /scene/subscribe': {
    scope: 'events:subscribe',
    takes:
      'clientId:string@query hooks:string@query encounterId:string@query actorUuid:string@query sceneId:string@query',
  },
  'GET /rolls/subscribe': { scope: 'events:subscribe', takes: 'clientId:string@query userId:string@query' },
};
