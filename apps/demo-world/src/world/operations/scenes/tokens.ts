import { Refusal } from '../../refusal.ts';
import type { Scene, Token } from '../../state.ts';
import { knownDocument } from '../../store/find-documents.ts';
import { assertLevel, levelOf, levels } from '../../store/permissions.ts';
import type { Transaction } from '../../transaction.ts';
import { saveToken } from '../../transaction.ts';
import { assertGm, findTokenOf } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { assertInside, findScene, sceneOf } from './places.ts';

interface Point {
  x: number;
  y: number;
}

/** A token or a point of a scene. */
interface PlaceReference {
  x?: number | undefined;
  y?: number | undefined;
  uuid?: string | undefined;
  name?: string | undefined;
}

const feetOfSquare = 5;

export const tokens: OperationHandlers<'move-token' | 'measure-distance'> = {
  /** A token stands on whole squares, so what lies between them is the nearest. */
  'move-token'(tx, { uuid, name, x, y, waypoints = [], sceneId }) {
    assertGm(tx, 'move tokens');
    const token =
      uuid === undefined
        ? seenToken(tx, findScene(tx.state, { sceneId }), name)
        : findTokenOf(tx.state, uuid, sceneId);
    const scene = sceneOf(tx.state, token);
    const way = [...waypoints, { x, y }].map((point) => ({ x: Math.round(point.x), y: Math.round(point.y) }));
    for (const point of way) assertInside(scene, token, point);
    const end = way.at(-1)!;
    saveToken(tx, { ...token, ...end });
    return { data: { tokenUuid: token.uuid, name: token.name, ...end, sceneId: scene.id } };
  },

  /** A diagonal step counts as one, as the fifth edition has it. */
  'measure-distance'(tx, { sceneId, ...given }) {
    const scene = findScene(tx.state, { sceneId });
    const { originX, originY, originUuid, originName } = given;
    const origin = pointOf(tx, scene, { x: originX, y: originY, uuid: originUuid, name: originName });
    const { targetX, targetY, targetUuid, targetName } = given;
    const target = pointOf(tx, scene, { x: targetX, y: targetY, uuid: targetUuid, name: targetName });
    const squares = Math.max(Math.abs(target.x - origin.x), Math.abs(target.y - origin.y));
    const distance = Math.round(squares) * feetOfSquare;
    return { data: { distance, units: 'ft', origin, target, sceneId: scene.id } };
  },
};

/** A point as it is given, or the middle of a token. */
function pointOf(tx: Transaction, scene: Scene, { x, y, uuid, name }: PlaceReference): Point {
  if (x !== undefined && y !== undefined) return { x, y };
  const token = uuid === undefined ? seenToken(tx, scene, name) : findTokenOf(tx.state, uuid, scene.id);
  assertLevel(tx, knownDocument(tx.state, token.uuid), levels.limited, 'see');
  return { x: token.x + token.size / 2, y: token.y + token.size / 2 };
}

/** A token of the scene by its name, of those that the acting user may see. */
function seenToken({ state, user }: Transaction, scene: Scene, name = ''): Token {
  const token = scene.tokens.find(
    (one) =>
      one.name.toLowerCase() === name.toLowerCase() &&
      levelOf(state, user, knownDocument(state, one.uuid)) >= levels.limited,
  );
  if (!token) throw new Refusal('entity_not_found', `There is no token ${name} on ${scene.name}`);
  return token;
}
