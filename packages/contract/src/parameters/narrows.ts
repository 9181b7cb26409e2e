/**
 * Names of parameters that make a call do less, or let fewer see what it does, wherever they are taken: here, at other relays
 * and in the tabletop itself. A call that brings one is refused where the operation does not take it, because without it
 * the call would do more than was asked. A call without `userId` has the game master's rights.
 */
export const narrows = [
  'clientId', 'world', 'worldId',
  'userId', 'user', 'userName', 'actingUserId', 'scopedUserId', 'scopedUserIds', 'asUser', 'actAs', 'onBehalfOf', 'player',
  'playerId',
  'readonly', 'dryRun', 'confirm',
  'whisper', 'whisperTo', 'to', 'recipients', 'rollMode', 'messageMode', 'blind', 'private', 'gmOnly', 'secret', 'hidden',
  'visibility', 'createChatMessage', 'chatMessage',
  'ownedBy', 'ownedByUserId', 'selected', 'all', 'overwrite', 'before',
] as const; // prettier-ignore

const exact: ReadonlySet<string> = new Set(narrows);
const bySpelling: ReadonlySet<string> = new Set(narrows.map(lettersOf));

/** Whether a parameter of this name narrows what its call does. */
export const isNarrowing = (name: string): boolean => exact.has(name);

/** Whether a name is one of them in another spelling (`user_id`, `UserId`, `userId[]`), or has one in it: `filter[userId]`. */
export const spellsNarrowing = (name: string): boolean =>
  [name, withoutBrackets(name), ...name.split(/[[\].]/)].some((part) => bySpelling.has(lettersOf(part)));

/**
 * A name without all that spellings differ in: letters and digits alone, in lower case. For short names: a hundred thousand
 * accents take half a minute to be brought into their order.
 */
export function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** `userId` of `userId[0]`. */
export const withoutBrackets = (name: string): string => name.replaceAll(/\[[^\]]*\]?/g, '');
