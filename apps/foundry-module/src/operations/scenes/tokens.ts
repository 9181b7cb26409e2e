import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { Point, Scene, Token } from '../../tabletop/documents.ts';
import { assertMaster, findToken, isName, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { may } from '../permissions.ts';
import { findScene } from './places.ts';

/** Where tokens are. Coordinates are the scene's own. */
export const tokens = {
  async 'move-token'({ uuid, name, x, y, waypoints = [], animate = true, sceneId }, { user }) {
    assertMaster(user, 'move tokens');
    const token = await seenToken(user, findScene({ sceneId }), { uuid, name });
    const scene = token.parent;
    const way = [...waypoints, { x, y }];
    for (const point of way) assertInside(scene, token, point);
    // A hidden tab draws no frames, so that nothing would glide to its end there.
    const options = { animate: animate && !document.hidden };
    for (const point of way) await token.update({ x: point.x, y: point.y }, options);
    return { data: { tokenUuid: token.uuid, name: token.name, x: token.x, y: token.y, sceneId: scene.id } };
  },

  async 'measure-distance'({ sceneId, ...given }, { user }) {
    const scene = findScene({ sceneId });
    const { originX, originY, originUuid, originName } = given;
    const { targetX, targetY, targetUuid, targetName } = given;
    const origin = await pointOf(user, scene, { x: originX, y: originY, uuid: originUuid, name: originName });
    const target = await pointOf(user, scene, { x: targetX, y: targetY, uuid: targetUuid, name: targetName });
    const { distance } = scene.grid.measurePath([origin, target]);
    return { data: { distance, units: scene.grid.units, origin, target, sceneId: scene.id } };
  },
} satisfies SomeHandlers;

interface TokenReference {
  uuid: string | undefined;
  name: string | undefined;
}

interface PlaceReference extends TokenReference {
  x: number | undefined;
  y: number | undefined;
}

/** A point as it is given, or the middle of a token. */
async function pointOf(
  user: ActingUser,
  scene: Scene,
  { x, y, ...reference }: PlaceReference,
): Promise<Point> {
  if (x !== undefined && y !== undefined) return { x, y };
  const token = await seenToken(user, scene, reference);
  const middle = token.getCenterPoint();
  return { x: middle.x, y: middle.y };
}

/** A token of the scene, of those that the user may see. */
async function seenToken(user: ActingUser, scene: Scene, { uuid, name }: TokenReference): Promise<Token> {
  const token =
    uuid === undefined
      ? scene.tokens.find((one) => isName(one, name) && may(user, one, 'LIMITED'))
      : await findToken(uuid, scene);
  if (!token || !may(user, token, 'LIMITED')) throw notFound('token', `${uuid ?? name} on ${scene.name}`);
  return token;
}

function assertInside({ dimensions }: Scene, token: Token, { x, y }: Point): void {
  const { width, height } = dimensions;
  if (Number.isFinite(x) && Number.isFinite(y) && x >= 0 && y >= 0 && x < width && y < height) return;
  throw new OperationRefused(`${token.name} cannot leave the scene`, 'out_of_bounds');
}
