import { createRenderer } from './pictures.js';
import { world } from './parts.js';
import { embedded } from './model.js';
import { declare, everywhere, strict } from './strict.js';

/** The canvas as far as numbers go: the viewed scene, its layers and placeables, control and targets, measuring. No pictures. */

class Grid {
  constructor({ type, size, distance, units, style, thickness, color, alpha }) {
    Object.assign(this, {
      type,
      size,
      distance,
      units,
      style,
      thickness,
      color,
      alpha,
      sizeX: size,
      sizeY: size,
    });
    return strict(this, 'BaseGrid');
  }
  get isSquare() {
    return this.type === CONST.GRID_TYPES.SQUARE;
  }
  get isGridless() {
    return this.type === CONST.GRID_TYPES.GRIDLESS;
  }
  get isHexagonal() {
    return this.type > CONST.GRID_TYPES.SQUARE;
  }
  /** Deprecated: in 12 and 13 alone. */
  measureDistance(origin, target) {
    return this.measurePath([origin, target]).distance;
  }
  measureDistances(segments) {
    return segments.map(({ ray }) => this.measurePath([ray.A, ray.B]).distance);
  }
  getSnappedPosition(x, y) {
    return this.getSnappedPoint({ x, y });
  }
  getOffset({ x, y, i, j }) {
    return i === undefined ? { i: Math.floor(y / this.size), j: Math.floor(x / this.size) } : { i, j };
  }
  getTopLeftPoint(at) {
    const { i, j } = this.getOffset(at);
    return { x: j * this.size, y: i * this.size };
  }
  getCenterPoint(at) {
    const { x, y } = this.getTopLeftPoint(at);
    return { x: x + this.size / 2, y: y + this.size / 2 };
  }
  getSnappedPoint(point) {
    return this.isGridless
      ? { x: point.x, y: point.y }
      : this.getTopLeftPoint({ x: point.x + this.size / 2, y: point.y + this.size / 2 });
  }
  getAdjacentOffsets(at) {
    const { i, j } = this.getOffset(at);
    return [-1, 0, 1]
      .flatMap((di) => [-1, 0, 1].map((dj) => ({ i: i + di, j: j + dj })))
      .filter((next) => next.i !== i || next.j !== j);
  }
  getDirectPath(waypoints) {
    return waypoints.map((point) => this.getOffset(point));
  }
  /** Diagonals count by `CONST.GRID_DIAGONALS` of the world; squares that are crossed on a grid, length without one. */
  measurePath(waypoints) {
    const segments = waypoints.slice(1).map((to, index) => measureSegment(this, waypoints[index], to));
    const sum = (key) => segments.reduce((total, segment) => total + segment[key], 0);
    const totals = {
      distance: sum('distance'),
      spaces: sum('spaces'),
      diagonals: sum('diagonals'),
      cost: sum('distance'),
      euclidean: sum('euclidean'),
    };
    return { ...totals, waypoints, segments };
  }
}

function measureSegment(grid, from, to) {
  const euclidean = (Math.hypot(to.x - from.x, to.y - from.y) / grid.size) * grid.distance;
  if (grid.isGridless) return { distance: euclidean, spaces: 0, diagonals: 0, euclidean };
  const [a, b] = [grid.getOffset(from), grid.getOffset(to)];
  const [di, dj] = [Math.abs(a.i - b.i), Math.abs(a.j - b.j)];
  const diagonals = Math.min(di, dj);
  return { distance: Math.max(di, dj) * grid.distance, spaces: Math.max(di, dj), diagonals, euclidean };
}

export class Placeable {
  constructor(document) {
    Object.assign(this, { document, [kept]: { isControlled: false, targeted: new Set() } });
    const proxy = strict(this, document.documentName === 'Token' ? 'Token' : 'PlaceableObject', {
      isOpen: true,
    });
    proxy[kept].proxy = proxy;
    return proxy;
  }
  get id() {
    return this.document.id;
  }
  get name() {
    return this.document.name;
  }
  get actor() {
    return this.document.actor;
  }
  get x() {
    return this.document.x;
  }
  get y() {
    return this.document.y;
  }
  get w() {
    return this.document.getSize().width;
  }
  get h() {
    return this.document.getSize().height;
  }
  get scene() {
    return this.document.parent;
  }
  get center() {
    return this.document.getCenterPoint();
  }
  get bounds() {
    return { x: this.x, y: this.y, width: this.w, height: this.h };
  }
  get isOwner() {
    return this.document.isOwner;
  }
  get isVisible() {
    return !this.document.hidden || game.user.isGM;
  }
  get visible() {
    return this.isVisible;
  }
  get controlled() {
    return this[kept].isControlled;
  }
  get targeted() {
    return this[kept].targeted;
  }
  get isTargeted() {
    return this.targeted.has(game.user);
  }
  get inCombat() {
    return this.document.inCombat;
  }
  get combatant() {
    return this.document.combatant;
  }
  get hasActiveHUD() {
    return false;
  }
  get movementAnimationPromise() {
    return null;
  }
  control({ releaseOthers = true } = {}) {
    if (!this.isOwner) return false;
    if (releaseOthers) this.layer.releaseAll();
    if (!this.controlled) setControlled(this, true);
    return true;
  }
  release() {
    if (this.controlled) setControlled(this, false);
    return true;
  }
  get layer() {
    return canvas.getLayerByEmbeddedName(this.document.documentName);
  }
  setTarget(targeted = true, { user = game.user, releaseOthers = true } = {}) {
    if (releaseOthers)
      for (const other of user.targets)
        if (other !== this[kept].proxy) other.setTarget(false, { user, releaseOthers: false });
    if (targeted) user.targets.add(this[kept].proxy);
    else user.targets.delete(this[kept].proxy);
    this.targeted[targeted ? 'add' : 'delete'](user);
    if (user.isSelf)
      world.connection.send('activity', { activity: { targets: [...user.targets].map(({ id }) => id) } });
    world.hooks.callAll('targetToken', user, this[kept].proxy, targeted);
  }
  refresh() {
    return this;
  }
  draw() {
    return Promise.resolve(this);
  }
  animate() {
    return world.animation();
  }
  stopAnimation() {}
}
const kept = Symbol('kept');
const objectOf = Symbol('objectOf');

function setControlled(placeable, isControlled) {
  placeable[kept].isControlled = isControlled;
  world.hooks.callAll(`control${placeable.document.documentName}`, placeable[kept].proxy, isControlled);
}

class Layer {
  constructor(name, field) {
    Object.assign(this, { [kept]: { name, field, objects: new Map() } });
    return strict(this, name === 'Token' ? 'TokenLayer' : 'PlaceablesLayer', { isOpen: true });
  }
  get placeables() {
    if (!canvas.scene) return [];
    return canvas.scene[this[kept].field].map((document) => this[objectOf](document));
  }
  get objects() {
    return { children: this.placeables };
  }
  get documentCollection() {
    return canvas.scene?.[this[kept].field] ?? null;
  }
  get controlled() {
    return this.placeables.filter(({ controlled }) => controlled);
  }
  get ownedTokens() {
    return this.placeables.filter(({ isOwner }) => isOwner);
  }
  [objectOf](document) {
    const { objects } = this[kept];
    if (!objects.has(document)) objects.set(document, new Placeable(document));
    return objects.get(document);
  }
  get(id) {
    return this.placeables.find((object) => object.id === id);
  }
  releaseAll() {
    const released = this.controlled;
    for (const object of released) object.release();
    return released.length;
  }
  controlAll() {
    for (const object of this.placeables) object.control({ releaseOthers: false });
    return this.controlled;
  }
  cycleTokens() {
    return false;
  }
  activate() {
    return this;
  }
  setTargets(ids) {
    for (const object of this.placeables) {
      if (ids.includes(object.id) !== object.isTargeted)
        object.setTarget(ids.includes(object.id), { releaseOthers: false });
    }
  }
  targetObjects({ x, y, width, height }) {
    const inside = this.placeables.filter(
      (object) => object.x >= x && object.y >= y && object.x <= x + width && object.y <= y + height,
    );
    for (const object of inside) object.setTarget(true, { releaseOthers: false });
    return inside.length;
  }
}

/** Names of layers on the canvas where they are not those of the scene's field. */
const layerNames = { lights: 'lighting' };

class Canvas {
  constructor() {
    const layers = {};
    for (const [field, name] of Object.entries(embedded.Scene)) {
      if (name !== 'Level') layers[layerNames[field] ?? field] = new Layer(name, field);
    }
    Object.assign(this, layers, { [kept]: { scene: null, layers }, loading: false, initializing: false });
    return strict(this, 'Canvas');
  }
  get scene() {
    return this[kept].scene;
  }
  get ready() {
    return this.scene !== null;
  }
  get grid() {
    return this.scene?.grid ?? null;
  }
  get dimensions() {
    return this.scene?.dimensions ?? null;
  }
  get level() {
    return this.scene?.initialLevel ?? null;
  }
  get levels() {
    return this.scene?.levels ?? null;
  }
  get app() {
    return this[kept].pictures.app;
  }
  get stage() {
    return this[kept].pictures.stage;
  }
  get interface() {
    return this[kept].pictures.interface;
  }
  get primary() {
    return this[kept].pictures.primary;
  }
  get screenDimensions() {
    return [innerWidth, innerHeight];
  }
  getLayerByEmbeddedName(name) {
    return Object.values(this[kept].layers).find((layer) => layer[kept].name === name) ?? null;
  }
  getCollectionLayer(collection) {
    return this[kept].layers[layerNames[collection] ?? collection];
  }
  async draw(scene) {
    if (scene === undefined) return this;
    if (this.scene) world.hooks.callAll('canvasTearDown', canvas);
    this[kept].scene = scene;
    if (!scene) return this;
    world.hooks.callAll('canvasInit', canvas);
    world.hooks.callAll('canvasDraw', canvas);
    world.hooks.callAll('canvasReady', canvas);
    return this;
  }
  pan(view = {}) {
    world.hooks.callAll('canvasPan', canvas, view);
  }
  animatePan(view) {
    this.pan(view);
    return world.animation();
  }
  ping() {
    return Promise.resolve(true);
  }
  inferLevelFromElevation() {
    return this.level;
  }
  viewLevel() {}
}

const ofPlaceable = [
  'id',
  'x',
  'y',
  'w',
  'h',
  'scene',
  'isOwner',
  'visible',
  'layer',
  'refresh',
  'draw',
  'name',
  'document',
  'actor',
  'center',
  'bounds',
];

let pictures;

export function createCanvas() {
  declare('BaseGrid', { more: everywhere(['style', 'thickness', 'color', 'alpha']) });
  declare('PlaceableObject', {
    more: everywhere([...ofPlaceable, 'control', 'release', 'controlled', 'hasActiveHUD']),
  });
  declare('Token', { parents: ['PlaceableObject'] });
  declare('PlaceablesLayer', { more: everywhere(['activate']) });
  declare('TokenLayer', { parents: ['PlaceablesLayer'] });
  declare('Canvas');
  const made = new Canvas();
  Object.defineProperty(made[kept], 'pictures', { get: () => (pictures ??= createRenderer()) });
  Object.assign(world, {
    Grid,
    placeable(document) {
      if (made.scene?.id !== document.parent?.id) return null;
      return made.getLayerByEmbeddedName(document.documentName)[objectOf](document);
    },
    /** Frames that a hidden tab never gets. */
    animation: () => new Promise((resolve) => requestAnimationFrame(() => resolve(true))),
    async viewScene(scene) {
      world.viewedScene = scene?.id ?? null;
      if (game.settings.get('core', 'noCanvas')) return;
      await made.draw(scene);
      world.connection.send('activity', { activity: { sceneId: scene?.id ?? null } });
    },
    redraw(document, action) {
      if (action === 'delete')
        made.getLayerByEmbeddedName(document.documentName)?.[kept].objects.delete(document);
    },
  });
  return made;
}
