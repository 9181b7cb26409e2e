import type { EventData } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { idOf } from '../documents.ts';
import type { WorldState } from '../state.ts';
import type { StoredDocument } from '../store/stored-document.ts';
import type { Change } from './changes.ts';
import { changesBetween } from './changes.ts';

/** A document of a kind that the rules know nothing of, before and after a step. */
export interface DocumentChange extends Change<Document> {
  uuid: string;
  kind: string;
  /** UUID of what embeds it. */
  parent: string | null;
}

export function changedDocuments(before: WorldState, after: WorldState): DocumentChange[] {
  const [old, now] = [before.documents, after.documents];
  if (old === now) return [];
  return [...new Set([...Object.keys(now), ...Object.keys(old)])].flatMap((uuid) => {
    const stored = now[uuid] ?? old[uuid];
    if (!stored || now[uuid] === old[uuid]) return [];
    const { kind, parent } = stored;
    return [{ uuid, kind, parent, before: printed(uuid, old[uuid]), after: printed(uuid, now[uuid]) }];
  });
}

/** The kinds that lie on a scene and whose changes its listeners hear, by the word that tabletops have for them. */
const onScene: Readonly<Record<string, string>> = { AmbientLight: 'light', Wall: 'wall' };

/** Events of the scene channel for lights and walls. */
export function thingsOnScene(before: WorldState, after: WorldState): EventData<'scene'>[] {
  return changedDocuments(before, after).flatMap(
    ({ uuid, kind, parent, ...change }): EventData<'scene'>[] => {
      const word = onScene[kind];
      if (!word || !parent) return [];
      const [sceneId, id] = [idOf(parent), { [`${word}Id`]: idOf(uuid) }];
      if (!change.after) return [{ eventType: `${word}-delete`, sceneId, ...id }];
      if (!change.before) return [{ eventType: `${word}-create`, sceneId, [word]: change.after }];
      const changes = changesBetween(change.before, change.after);
      return changes ? [{ eventType: `${word}-update`, sceneId, ...id, changes }] : [];
    },
  );
}

/** The effects that were put on an actor or taken from it as documents. */
export function effectsOnActors(before: WorldState, after: WorldState): EventData<'actor'>[] {
  return changedDocuments(before, after).flatMap(
    ({ uuid, kind, parent, ...change }): EventData<'actor'>[] => {
      if (kind !== 'ActiveEffect' || !parent || (change.before && change.after)) return [];
      const actorUuid = parent;
      if (change.after) return [{ eventType: 'effect-add', actorUuid, effect: change.after }];
      return [
        { eventType: 'effect-remove', actorUuid, effectId: idOf(uuid), effectName: change.before?.['name'] },
      ];
    },
  );
}

const printed = (uuid: string, stored: StoredDocument | undefined): Document | undefined =>
  stored && { _id: idOf(uuid), uuid, ...stored.data };
