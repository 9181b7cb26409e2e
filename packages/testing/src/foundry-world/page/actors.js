import { Document, complete } from './document.js';
import { inner, onChange, source, world } from './parts.js';
import { mergeDelta } from './model.js';
import { deepClone, setProperty } from './utils.js';

/** Actors and items of the core, and the deltas by which a token's own actor differs from the one of the world. */

export class Actor extends Document {
  get isToken() {
    return this.parent?.documentName === 'Token';
  }
  get token() {
    return this.isToken ? this.parent : null;
  }
  get uuid() {
    return this.isToken ? `${this.parent.uuid}.Actor.${this.id}` : super.uuid;
  }
  get pack() {
    return this.isToken ? null : super.pack;
  }
  get collection() {
    return this.isToken ? undefined : super.collection;
  }
  get statuses() {
    return new Set(this.appliedEffects.flatMap((effect) => [...effect.statuses]));
  }
  get appliedEffects() {
    return [...this.allApplicableEffects()].filter(({ active }) => active);
  }
  get temporaryEffects() {
    return this.appliedEffects.filter(({ isTemporary }) => isTemporary);
  }
  get overrides() {
    return {};
  }
  get inCombat() {
    return game.combat?.getCombatantsByActor(this.id).length > 0;
  }
  get itemTypes() {
    const types = Object.fromEntries(game.documentTypes.Item.map((type) => [type, []]));
    for (const item of this.items) types[item.type]?.push(item);
    return types;
  }
  *allApplicableEffects() {
    for (const effect of this.effects) yield effect;
    for (const item of this.items) for (const effect of item.effects) if (effect.transfer) yield effect;
  }
  getUserLevel(user = game.user) {
    return this.isToken ? (this.token.baseActor?.getUserLevel(user) ?? 0) : super.getUserLevel(user);
  }
  getRollData() {
    return { ...deepClone(this.system), name: this.name };
  }
  getActiveTokens(linked = false, asDocuments = false) {
    const tokens = (canvas.scene?.tokens ?? []).filter(
      ({ actorId, actorLink }) => actorId === this.id && (!linked || actorLink),
    );
    return asDocuments ? tokens : tokens.map(({ object }) => object).filter(Boolean);
  }
  getDependentTokens({ scenes, linked = false } = {}) {
    return [scenes ?? game.scenes.contents]
      .flat()
      .flatMap((scene) =>
        scene.tokens.filter(({ actorId, actorLink }) => actorId === this.id && (!linked || actorLink)),
      );
  }
  getTokenDocument(data = {}) {
    const { prototypeToken } = this[source];
    const token = {
      ...deepClone(prototypeToken),
      name: prototypeToken.name || this.name,
      actorId: this.id,
      ...data,
    };
    return Promise.resolve(new world.classes.Token(token, { parent: canvas.scene }));
  }
  async toggleStatusEffect(id, { active, overlay = false } = {}) {
    const status = CONFIG.statusEffects.find((entry) => entry.id === id);
    if (!status) throw new Error(`Invalid status ID "${id}" provided to Actor#toggleStatusEffect`);
    const existing = this.effects
      .filter(({ statuses }) => statuses.has(id) && statuses.size === 1)
      .map((effect) => effect.id);
    if (existing.length > 0) {
      if (active) return true;
      await this.deleteEmbeddedDocuments('ActiveEffect', existing);
      return false;
    }
    if (active === false) return undefined;
    const effect = await world.classes.ActiveEffect.fromStatusEffect(id);
    const data = effect.toObject();
    if (overlay) setProperty(data, 'flags.core.overlay', true);
    const [made] = await this.createEmbeddedDocuments('ActiveEffect', [data], { keepId: data._id !== null });
    return made;
  }
  async modifyTokenAttribute(attribute, value, isDelta = false, isBar = true) {
    const at = attribute.split('.').reduce((object, key) => object[key], this.system);
    const path = `system.${attribute}`;
    const current = isBar ? at.value : at;
    let next = isDelta ? Number(current) + value : value;
    if (isBar) next = Math.min(Math.max(next, 0), at.max ?? Infinity);
    const updates = { [isBar ? `${path}.value` : path]: next };
    const data = { attribute, value, isDelta, isBar };
    const isAllowed = world.hooks.call('modifyTokenAttribute', data, updates, this[inner].proxy);
    return isAllowed ? this.update(updates) : this[inner].proxy;
  }
  async rollInitiative({ createCombatants = false, rerollInitiative = false, initiativeOptions = {} } = {}) {
    if (!game.combat) return null;
    if (createCombatants && !this.inCombat) {
      await world.classes.Token.createCombatants(this.getActiveTokens(false, true), { combat: game.combat });
    }
    const ids = game.combat
      .getCombatantsByActor(this.id)
      .filter(({ initiative }) => rerollInitiative || initiative === null);
    await game.combat.rollInitiative(
      ids.map(({ id }) => id),
      initiativeOptions,
    );
    return game.combat;
  }
  [onChange](action, { changed }) {
    if (action !== 'update' || this.isToken) return;
    for (const scene of game.scenes) {
      for (const token of scene.tokens)
        if (token.actorId === this.id && !token.actorLink) token[inner].delta = undefined;
    }
    if (changed?.name !== undefined) for (const combat of game.combats) combat.prepareData();
  }
}

export class Item extends Document {
  get actor() {
    return this.parent?.documentName === 'Actor' ? this.parent : null;
  }
  get isOwned() {
    return this.actor !== null;
  }
  get transferredEffects() {
    return this.effects.filter(({ transfer }) => transfer);
  }
  getRollData() {
    return { ...this.actor?.getRollData(), item: { ...deepClone(this.system), name: this.name } };
  }
}

/** The own actor of a token. */
export const synthetic = Symbol('synthetic');

export class ActorDelta extends Document {
  get syntheticActor() {
    return this[synthetic]();
  }
  [synthetic]() {
    const { parent } = this;
    if (this[inner].actor) return this[inner].actor;
    const base = parent.baseActor;
    if (!base) return null;
    this[inner].actor = new world.classes.Actor(mergeDelta(base.toObject(), this[source]), { parent });
    return this[inner].actor;
  }
  apply() {
    return this[synthetic]();
  }
  restore() {
    return this.parent.update({ '==delta': { _id: this.id, system: {}, items: [], effects: [], flags: {} } });
  }
}

export const makeDelta = (token, data) =>
  new world.classes.ActorDelta({ _id: token.id, ...data }, { parent: token });

/** After a change of the delta the actor that others hold is brought up to date, and not replaced. */
export function rebuildDelta(token, old) {
  const { actor } = old[inner];
  token[inner].delta = makeDelta(token, token[source].delta);
  if (!actor) return;
  token[inner].delta[inner].actor = actor;
  const data = complete('Actor', mergeDelta(token.baseActor.toObject(), token[source].delta));
  const { items: ownItems, effects: ownEffects } = actor[source];
  Object.assign(actor[source], data, { items: ownItems, effects: ownEffects });
  actor.prepareData();
}
