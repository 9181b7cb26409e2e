import { actorRoom } from './actor-room.ts';
import { chatRoom } from './chat-room.ts';
import { combatantRoom, combatRoom } from './combat-rooms.ts';
import type { DocumentRoom } from './document-room.ts';
import { effectRoom } from './effect-room.ts';
import { itemRoom } from './item-room.ts';
import { documentKinds } from '../kinds.ts';
import { sceneRoom } from './scene-room.ts';
import { storedRoom } from './stored-room.ts';
import { tokenRoom } from './token-room.ts';
import { userRoom } from './user-room.ts';

const rooms: Readonly<Record<string, DocumentRoom>> = {
  ...Object.fromEntries(Object.keys(documentKinds).map((kind) => [kind, storedRoom(kind)])),
  Actor: actorRoom,
  ActiveEffect: effectRoom,
  ChatMessage: chatRoom,
  Combat: combatRoom,
  Combatant: combatantRoom,
  Item: itemRoom,
  Scene: sceneRoom,
  Token: tokenRoom,
  User: userRoom,
};

/** The room of a kind, which must be one of `documentKinds`. */
export function roomOf(kind: string): DocumentRoom {
  const room = rooms[kind];
  if (!room) throw new RangeError(`There is no kind ${kind}`);
  return room;
}
