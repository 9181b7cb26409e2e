import type { EventData } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { idOf, tokenDocument } from '../documents.ts';
import type { Scene, Token, WorldState } from '../state.ts';
import type { Change } from './changes.ts';
import { changedThings, changesBetween } from './changes.ts';
import { sceneDocument } from '../store/rooms/scene-room.ts';
import { thingsOnScene } from './document-events.ts';

type SceneEvent = EventData<'scene'>;

/** Events of the scene channel for one step. */
export function sceneEvents(before: WorldState, after: WorldState): SceneEvent[] {
  return [
    ...changedTokens(before, after).flatMap(({ scene, ...change }) => tokenEvent(scene, change)),
    ...thingsOnScene(before, after),
    ...activatedScene(before, after).map(({ id, name }) => ({
      eventType: 'scene-activate',
      sceneId: id,
      name,
    })),
  ];
}

/** The scenes that a step made, changed or deleted, as documents. To be shown, or no longer, is a change too. */
export function changedScenes(before: WorldState, after: WorldState): Change<Document>[] {
  if (before.scenes === after.scenes && before.activeSceneId === after.activeSceneId) return [];
  const documentsOf = ({ scenes, activeSceneId }: WorldState) =>
    scenes.map((scene) => sceneDocument(scene, scene.id === activeSceneId));
  return changedThings(documentsOf(before), documentsOf(after), ({ uuid }) => String(uuid));
}

/** The scene that a step made the active one, if it did. */
export function activatedScene(before: WorldState, after: WorldState): Scene[] {
  if (before.activeSceneId === after.activeSceneId) return [];
  return after.scenes.filter(({ id }) => id === after.activeSceneId);
}

export function changedTokens(before: WorldState, after: WorldState): (Change<Token> & { scene: Scene })[] {
  return changedThings(before.scenes, after.scenes, ({ id }) => id).flatMap((change) => {
    const scene = change.after ?? change.before;
    if (!scene) return [];
    const tokens = ({ tokens = [] }: Partial<Scene> = {}) => tokens;
    return changedThings(tokens(change.before), tokens(change.after), ({ uuid }) => uuid).map((token) => ({
      scene,
      ...token,
    }));
  });
}

function tokenEvent({ id: sceneId }: Scene, { before, after }: Change<Token>): SceneEvent[] {
  if (!after) {
    if (!before) return [];
    return [{ eventType: 'token-delete', sceneId, tokenId: idOf(before.uuid), tokenName: before.name }];
  }
  const document = tokenDocument(after, undefined);
  if (!before) return [{ eventType: 'token-create', sceneId, token: document }];
  const changes = changesBetween(tokenDocument(before, undefined), document);
  if (!changes) return [];
  return [
    {
      eventType: 'token-update',
      sceneId,
      tokenId: idOf(after.uuid),
      tokenUuid: after.uuid,
      name: after.name,
      changes,
    },
  ];
}
