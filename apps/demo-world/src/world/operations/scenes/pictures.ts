import { backgroundSvg, sceneSvg } from '../../picture/scene-svg.ts';
import { Refusal } from '../../refusal.ts';
import type { Scene } from '../../state.ts';
import { base64Of, fileAt } from '../../store/files.ts';
import { knownDocument } from '../../store/find-documents.ts';
import { assertLevel, levelOf, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { Transaction } from '../../transaction.ts';
import type { SlowHandlers } from '../handler.ts';
import { documentOfScene, findScene } from './places.ts';

/** The world draws as SVG, and what it runs in makes the asked kind of picture of that. */
export const pictures: SlowHandlers<'scene-screenshot' | 'scene-raw-image'> = {
  async 'scene-screenshot'(tx, { sceneId, hideOverlays = false, showGrid = false, ...asked }, { paint }) {
    const scene = findScene(tx.state, { sceneId });
    const document = documentOfScene(tx.state, scene);
    assertLevel(tx, document, levels.limited, 'see');
    if (scene.id !== tx.state.activeSceneId)
      throw new Refusal('not_viewed', `${scene.name} is not the scene that is shown: switch to it first`);
    const { viewport, width, height, format = 'png', quality = 0.9 } = asked;
    const picture = sceneSvg(tx.state, scene, {
      tokens: scene.tokens.filter((token) => isSeen(tx, token.uuid)),
      isPlayers: levelOf(tx.state, tx.user, document) < levels.owner,
      hasGrid: !hideOverlays || showGrid,
      hasOverlays: !hideOverlays,
      turn: turnOf(tx),
      ...(viewport ? {} : { width, height }),
    });
    const imageData = await paint(picture.svg, { format, quality });
    const size = { width: picture.width, height: picture.height };
    return () => ({ imageData, mimeType: `image/${format}`, ...size });
  },

  async 'scene-raw-image'(tx, { sceneId }, { paint }) {
    const scene = findScene(tx.state, { sceneId });
    const document = documentOfScene(tx.state, scene);
    assertLevel(tx, document, levels.limited, 'see');
    const src = textAt(document.data, 'background.src', '');
    if (src === '') throw new Refusal('no_image', `${scene.name} has no background image`);
    const told = { sceneId: scene.id, sceneName: scene.name, src };
    const file = fileAt(tx.state, src);
    if (file) {
      const { mimeType } = file;
      const imageData = `data:${mimeType};base64,${base64Of(file)}`;
      return () => ({ data: { ...told, imageData, mimeType } });
    }
    // A world answers without a file that its browser cannot fetch.
    if (src !== backgroundOf(scene)) return () => ({ data: told });
    const imageData = await paint(backgroundSvg(scene).svg, { format: 'png', quality: 1 });
    return () => ({ data: { ...told, imageData, mimeType: 'image/png' } });
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
