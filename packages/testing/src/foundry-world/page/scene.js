import { Document } from './document.js';
import { inner, onChange, preCreate, source, world } from './parts.js';
import { deprecated, facts } from './strict.js';
import { deepClone, mergeObject } from './utils.js';

/** Scenes, what lies in them, and token documents with their synthetic actors. */

export class Scene extends Document {
  get isView() {
    return canvas.scene?.id === this.id;
  }
  get dimensions() {
    return this.getDimensions();
  }
  get navName() {
    return this[source].navName;
  }
  get firstLevel() {
    return this.levels.contents.sort((a, b) => a.sort - b.sort)[0] ?? null;
  }
  get initialLevel() {
    return this.levels.get(this[source].initialLevel) ?? this.firstLevel;
  }
  get grid() {
    this[inner].prepared.grid ??= new world.Grid(this[source].grid);
    return this[inner].prepared.grid;
  }
  get darkness() {
    return this.environment.darknessLevel;
  }
  getDimensions() {
    const { width, height, padding, grid } = this[source];
    const step = (length) => Math.ceil((padding * length) / grid.size) * grid.size;
    const [sceneX, sceneY] = [step(width), step(height)];
    const rect = { x: sceneX, y: sceneY, width, height };
    const size = { width: width + 2 * sceneX, height: height + 2 * sceneY };
    const maxR = Math.ceil(Math.hypot(size.width, size.height));
    const own = {
      sceneX,
      sceneY,
      sceneWidth: width,
      sceneHeight: height,
      size: grid.size,
      distance: grid.distance,
    };
    const rest = {
      distancePixels: grid.size / grid.distance,
      ratio: size.width / size.height,
      maxR,
      sceneRect: rect,
    };
    return { ...size, ...own, ...rest, rect: { x: 0, y: 0, ...size } };
  }
  async activate() {
    if (this.active) return this.view();
    return this.update({ active: true });
  }
  async view() {
    await world.viewScene(this[inner].proxy);
    return this[inner].proxy;
  }
  async unview() {
    await world.viewScene(null);
    return this[inner].proxy;
  }
  pullUsers(users = []) {
    const ids = users.map((user) => user.id ?? user);
    world.connection.send('emit', { event: 'pullToScene', args: [this.id, ids] });
  }
  async createThumbnail() {
    return { src: this.thumb, thumb: onePixel, width: 300, height: 100 };
  }
  [preCreate](data) {
    if (facts.generation < 14 || this[source].levels.length > 0) return;
    const level = { _id: 'defaultLevel0000', name: 'Level 1' };
    this.updateSource({
      levels: [mergeObject(deepClone(facts.levelDefaults), level)],
      initialLevel: level._id,
    });
    if (data.background) deprecated('Scene#background in data');
  }
  [onChange](action, { changed }) {
    if (action === 'update' && changed.active === true) void world.viewScene(this[inner].proxy);
    if (action === 'delete' && this.isView) void world.viewScene(null);
  }
}

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Documents that the canvas shows: each has an object while its scene is viewed. */
class CanvasDocument extends Document {
  get object() {
    return world.placeable(this[inner].proxy);
  }
  [onChange](action, details) {
    world.redraw?.(this[inner].proxy, action, details);
  }
}

export class TokenDocument extends CanvasDocument {
  static createCombatants(tokens, { combat = game.combat } = {}) {
    const data = tokens.map((token) => ({
      tokenId: token.id,
      sceneId: token.parent.id,
      actorId: token.actorId,
      hidden: token.hidden,
    }));
    return combat.createEmbeddedDocuments('Combatant', data);
  }
  static deleteCombatants(tokens, { combat = game.combat } = {}) {
    const ids = tokens.flatMap((token) => combat.getCombatantsByToken(token).map(({ id }) => id));
    return combat.deleteEmbeddedDocuments('Combatant', ids);
  }
  get name() {
    return this[source].name || this.actor?.name || 'Unknown';
  }
  get baseActor() {
    return game.actors.get(this.actorId) ?? null;
  }
  get actor() {
    if (this.actorLink) return this.baseActor;
    if (!this.baseActor) return null;
    return this.delta[world.synthetic]();
  }
  get delta() {
    if (this.actorLink) return null;
    this[inner].delta ??= world.makeDelta(this[inner].proxy, this[source].delta);
    return this[inner].delta;
  }
  get actors() {
    return new Map(this.actor ? [[this.actor.id, this.actor]] : []);
  }
  get combatant() {
    return game.combat?.getCombatantsByToken(this[inner].proxy)[0] ?? null;
  }
  get inCombat() {
    return this.combatant !== null;
  }
  get isSecret() {
    return this.disposition === CONST.TOKEN_DISPOSITIONS.SECRET && !this.isOwner;
  }
  get regions() {
    return new Set();
  }
  get movement() {
    return (
      this[inner].movement ?? {
        id: null,
        state: 'completed',
        passed: { waypoints: [] },
        pending: { waypoints: [] },
      }
    );
  }
  getUserLevel(user = game.user) {
    return this.actor ? this.actor.getUserLevel(user) : super.getUserLevel(user);
  }
  getBarAttribute(bar) {
    const path = this[source][bar]?.attribute;
    const value = path
      ? path.split('.').reduce((at, key) => at?.[key], this.actor?._source.system ?? {})
      : undefined;
    if (value === undefined) return null;
    if (typeof value !== 'object') return { type: 'value', attribute: path, value, editable: true };
    const current = this.actor.system;
    const { value: now, max } = path.split('.').reduce((at, key) => at[key], current);
    return { type: 'bar', attribute: path, value: now ?? 0, max: max ?? 0, editable: true };
  }
  hasStatusEffect(id) {
    return this.actor?.statuses.has(id) === true;
  }
  getSize() {
    const { size } = this.parent[source].grid;
    return { width: this.width * size, height: this.height * size };
  }
  getCenterPoint(at = this) {
    const { width, height } = this.getSize();
    return { x: at.x + width / 2, y: at.y + height / 2, elevation: at.elevation ?? this.elevation };
  }
  toggleCombatant({ active = !this.inCombat } = {}) {
    const cls = this.constructor;
    return (active ? cls.createCombatants : cls.deleteCombatants)
      .call(cls, [this[inner].proxy])
      .then(() => active);
  }
  /** 13 and later. Resolves when the move is done: on 14 with the end of the animation, which a hidden tab never draws. */
  async move(waypoints, { animate = true, autoRotate, showRuler, ...options } = {}) {
    const [...points] = [waypoints].flat();
    const last = points.at(-1);
    if (!last) return false;
    const movement = {
      id: foundry.utils.randomID(),
      origin: { x: this.x, y: this.y },
      destination: last,
      autoRotate,
      showRuler,
    };
    if (world.hooks.call('preMoveToken', this[inner].proxy, movement, options) === false) return false;
    await this.update(pick(last, ['x', 'y', 'elevation', 'width', 'height', 'level']), {
      ...options,
      animate,
      movement,
    });
    if (animate && facts.generation >= 14) await world.animation();
    return true;
  }
  stopMovement() {
    return true;
  }
  pauseMovement() {
    return () => Promise.resolve(true);
  }
  resumeMovement() {}
  revertRecordedMovement() {
    return Promise.resolve(true);
  }
  measureMovementPath(waypoints) {
    return this.parent.grid.measurePath(waypoints);
  }
  getCompleteMovementPath(waypoints) {
    return waypoints;
  }
  [onChange](action, details) {
    if (action === 'update' && details.changed.delta !== undefined) {
      const { delta } = this[inner];
      this[inner].delta = undefined;
      if (delta) world.rebuildDelta(this[inner].proxy, delta);
    }
    super[onChange](action, details);
    const { changed, options, userId } = details;
    if (action === 'update' && facts.generation >= 13 && ('x' in changed || 'y' in changed)) {
      const movement = options.movement ?? { destination: { x: this.x, y: this.y } };
      world.hooks.callAll('moveToken', this[inner].proxy, movement, options, game.users.get(userId));
    }
  }
}

const pick = (object, keys) =>
  Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));

export class RegionDocument extends CanvasDocument {
  get tokens() {
    return new Set();
  }
  get bounds() {
    return { x: 0, y: 0, width: 0, height: 0 };
  }
  get polygons() {
    return [];
  }
  testPoint() {
    return false;
  }
  teleportToken() {
    return Promise.resolve(false);
  }
}

export class MeasuredTemplateDocument extends CanvasDocument {
  get isAuthor() {
    return this[source].author === game.user.id;
  }
}

export class Level extends Document {
  get isView() {
    return canvas.level?.id === this.id;
  }
  get isVisible() {
    return true;
  }
  get edges() {
    return [];
  }
}

export const canvasClasses = () =>
  Object.fromEntries(
    ['Wall', 'AmbientLight', 'AmbientSound', 'Tile', 'Note', 'Drawing'].map((name) => [
      name,
      { [name]: class extends CanvasDocument {} }[name],
    ]),
  );

/** 14: templates are regions, and the old class makes them for those who still ask for templates. */
export const templateBridge = (Region) => ({
  createDocuments(data, operation) {
    const regions = data.map(({ t, distance, x, y, direction = 0, angle = 0, width = 0, fillColor }) => ({
      name: 'Template',
      color: fillColor,
      shapes: [
        {
          type: t === 'rect' ? 'rectangle' : t,
          x,
          y,
          radius: distance,
          rotation: direction,
          angle,
          width,
          hole: false,
        },
      ],
    }));
    return Region.createDocuments(regions, operation);
  },
});
