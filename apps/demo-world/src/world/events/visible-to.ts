import type { Channel } from '@tabletop-relay/contract';
import type { WorldState } from '../state.ts';
import { findDocument } from '../store/find-documents.ts';
import type { Level } from '../store/permissions.ts';
import { levelOf, levels } from '../store/permissions.ts';

type Event = Readonly<Record<string, unknown>>;

/** A document that an event tells of, and the level that a user needs to be told so much. */
type Subject = readonly [uuid: string, level: Level];

/** The documents of an event of each channel; undefined: nobody but game masters may have it. */
const subjects: Readonly<Record<Channel, (event: Event) => readonly Subject[] | undefined>> = {
  hooks: ({ hook, args }) => ofHook(String(hook), args as readonly unknown[]),
  combat: ({ encounterId, combatants, combatant }) =>
    hidesSome([combatants, combatant].flat())
      ? undefined
      : [[`Combat.${String(encounterId)}`, levels.observer]],
  actor: ({ actorUuid }) => [[String(actorUuid), levels.observer]],
  scene: ({ sceneId, tokenId, token, lightId, wallId, light, wall }) => {
    const scene = `Scene.${String(sceneId)}`;
    const inner = (kind: string, id: unknown, made: unknown): Subject[] =>
      id === undefined && made === undefined ? [] : [[`${scene}.${kind}.${idIn(id, made)}`, levels.limited]];
    return [
      [scene, levels.limited],
      ...inner('Token', tokenId, token),
      ...inner('AmbientLight', lightId, light),
      ...inner('Wall', wallId, wall),
    ];
  },
  chat: ({ data }) => [[`ChatMessage.${idIn(undefined, data)}`, levels.observer]],
  rolls: ({ id }) => [[`ChatMessage.${String(id)}`, levels.observer]],
};

/**
 * The users who may see an event: those who may see all documents that it tells of, before the step and after it. Of what cannot
 * be found nobody but game masters is told.
 */
export function visibleTo(channel: Channel, event: Event, before: WorldState, after: WorldState): string[] {
  const about = subjects[channel](event);
  return after.users
    .filter((user) => user.isGM || (about?.every((subject) => maySee(user, subject)) ?? false))
    .map(({ id }) => id);

  function maySee(user: WorldState['users'][number], [uuid, level]: Subject): boolean {
    const found = [before, after].flatMap((state) => {
      const document = findDocument(state, uuid);
      return document ? [levelOf(state, user, document)] : [];
    });
    return found.length > 0 && found.every((has) => has >= level);
  }
}

/** Hooks tell whole documents, which are their first arguments. What a game master has selected is theirs. */
function ofHook(hook: string, [first]: readonly unknown[]): readonly Subject[] | undefined {
  const document = first as Event | undefined;
  if (hook === 'controlToken' || document === undefined) return undefined;
  if (hook === 'canvasReady') return [[`Scene.${String(document['id'])}`, levels.limited]];
  if (hidesSome([document['combatants'], document].flat())) return undefined;
  return typeof document['uuid'] === 'string' ? [[document['uuid'], levels.observer]] : undefined;
}

const hidesSome = (combatants: readonly unknown[]): boolean =>
  combatants.some((one) => (one as Event | undefined)?.['hidden'] === true);

const idIn = (id: unknown, document: unknown): string => {
  const made = document as Event | undefined;
  return String(id ?? made?.['_id'] ?? made?.['id']);
};
