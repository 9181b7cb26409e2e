import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import { version } from '../../versions/version.ts';
import { isMaster } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { readOwnFile } from '../sheets/own-files.ts';
import { assertLevel } from '../permissions.ts';
import { findScene } from './places.ts';

/** Pictures of scenes. */
export const pictures = {
  'scene-screenshot'({ sceneId, active, format = 'png', quality = 0.9, ...asked }, { user }) {
    const { canvas } = tabletop;
    const { scene: shown } = canvas;
    if (!canvas.ready || !shown) {
      throw new OperationRefused('This browser shows no canvas, so there is no picture', 'not_supported');
    }
    const scene = sceneId === undefined && !active ? shown : findScene({ sceneId, active });
    assertLevel(user, scene, 'LIMITED', 'see');
    if (scene.id !== shown.id) {
      throw new OperationRefused(
        `${scene.name} is not the scene that is shown: switch to it first`,
        'not_viewed',
      );
    }
    // The canvas is drawn for whoever sits here, with what is hidden.
    if (!isMaster(user)) {
      throw new OperationRefused(
        'The picture would show what players do not see: only a game master may have it',
        'permission_denied',
      );
    }
    const { viewport, width, height, showGrid = false, hideOverlays = false } = asked;
    const isHidden = hideOverlays && !showGrid;
    const drawn = drawScene(viewport === true, isHidden);
    const picture = viewport ? drawn : cutMiddle(drawn, { width, height });
    const mimeType = `image/${format}`;
    const imageData = picture.toDataURL(mimeType, quality);
    return { imageData, mimeType, width: picture.width, height: picture.height };
  },

  async 'scene-raw-image'({ sceneId, active }, { user }) {
    const scene = findScene({ sceneId, active, viewed: sceneId === undefined && !active });
    assertLevel(user, scene, 'OBSERVER', 'see');
    const src = version().backgroundOf(scene);
    if (src === null) throw new OperationRefused(`${scene.name} has no background image`, 'no_image');
    const told = { sceneId: scene.id, sceneName: scene.name, src };
    // A picture of another place cannot be read from here: its address alone is told.
    const file = await readOwnFile(src).catch(() => undefined);
    return { data: file ? { ...told, imageData: file.dataUrl, mimeType: file.mimeType } : told };
  },
} satisfies SomeHandlers;

/** The canvas as it is, or the whole scene. `isPlain` leaves out grid, names, bars and all that lies over the scene. */
function drawScene(isViewport: boolean, isPlain: boolean): HTMLCanvasElement {
  const { canvas, PIXI } = tabletop;
  const { width, height } = isViewport
    ? { width: innerWidth, height: innerHeight }
    : (canvas.dimensions ?? { width: 0, height: 0 });
  const wasVisible = canvas.interface.visible;
  if (isPlain) canvas.interface.visible = false;
  try {
    const frame = new PIXI.Rectangle(0, 0, width, height);
    return canvas.app.renderer.extract.canvas(canvas.stage, frame);
  } finally {
    canvas.interface.visible = wasVisible;
  }
}

/** As much of a picture's middle as is asked for. */
function cutMiddle(
  picture: HTMLCanvasElement,
  size: { width: number | undefined; height: number | undefined },
): HTMLCanvasElement {
  const width = Math.min(size.width ?? picture.width, picture.width);
  const height = Math.min(size.height ?? picture.height, picture.height);
  if (width === picture.width && height === picture.height) return picture;
  const cut = Object.assign(document.createElement('canvas'), { width, height });
  const [left, top] = [(picture.width - width) / 2, (picture.height - height) / 2];
  cut.getContext('2d')?.drawImage(picture, left, top, width, height, 0, 0, width, height);
  return cut;
}
