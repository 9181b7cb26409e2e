import { Refusal } from '../../refusal.ts';
import { svgUrl } from '../../picture/paint-result.ts';
import { backgroundSvg, sceneSvg } from '../../picture/scene-svg.ts';
import type { Scene } from '../../state.ts';
import { knownDocument } from '../../store/find-documents.ts';
import { assertLevel, levelOf, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';
import { documentOfScene, findScene } from './places.ts';

/** The world draws as SVG, and what it runs in makes the asked kind of picture of that: `paintResult`. */
export const pictures: OperationHandlers<'scene-screenshot' | 'scene-raw-image'> = {
  'scene-screenshot'(tx, { sceneId, hideOverlays = false, showGrid = false, viewport, width, height }) {
    const scene = findScene(tx.state, { sceneId });
    const document = documentOfScene(tx.state, scene);
    assertLevel(tx, document, levels.limited, 'see');
    if (scene.id !== tx.state.activeSceneId)
      throw new Refusal('not_viewed', `${scene.name} is not the scene that is shown: switch to it first`);
    const sight = {
      tokens: scene.tokens.filter((token) => isSeen(tx, token.uuid)),
      isPlayers: levelOf(tx.state, tx.user, document) < levels.owner,
      hasGrid: !hideOverlays || showGrid,
      hasOverlays: !hideOverlays,
      turn: turnOf(tx),
    };
    const size = viewport ? {} : { width, height };
    const picture = sceneSvg(tx.state, scene, { ...sight, ...size });
    return {
      imageData: svgUrl(picture),
      mimeType: 'image/svg+xml',
      width: picture.width,
      height: picture.height,
    };
  },

  'scene-raw-image'(tx, { sceneId }) {
    const scene = findScene(tx.state, { sceneId });
    const document = documentOfScene(tx.state, scene);
    assertLevel(tx, document, levels.limited, 'see');
    const src = textAt(document.data, 'background.src', '');
    if (src === '') throw new Refusal('no_image', `${scene.name} has no background image`);
    const told = { sceneId: scene.id, sceneName: scene.name, src };
    // The world has no other files, so it answers as one whose browser could not fetch them.
    if (src !== backgroundOf(scene)) return { data: told };
    return { data: { ...told, imageData: svgUrl(backgroundSvg(scene)), mimeType: 'image/svg+xml' } };
  },
};

/** The file that a scene's ground counts as, until somebody names another. */
const backgroundOf = ({ id }: Scene): string => `scenes/${id}.png`;

function isSeen({ state, user }: Transaction, tokenUuid: string): boolean {
  return levelOf(state, user, knownDocument(state, tokenUuid)) >= levels.limited;
}

function turnOf({ state }: Transaction): string | undefined {
  const encounter = state.encounters.find(({ id }) => id === state.currentEncounterId);
  return encounter?.started ? encounter.combatants[encounter.turn]?.tokenUuid : undefined;
}
