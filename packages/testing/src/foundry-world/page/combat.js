import { Document } from './document.js';
import { afterHook, beforeChange, inner, source, world } from './parts.js';
import { facts } from './strict.js';

/** Fights: turns are in the order of initiative, and hooks fire where the tabletop fires them. */

export class Combat extends Document {
  get turns() {
    return this.setupTurns();
  }
  setupTurns() {
    return this.combatants.contents.sort(
      (a, b) => (b.initiative ?? -Infinity) - (a.initiative ?? -Infinity) || (a.id > b.id ? 1 : -1),
    );
  }
  get started() {
    return this.round > 0;
  }
  get combatant() {
    return this.turns[this.turn] ?? undefined;
  }
  get nextCombatant() {
    const { turn } = this;
    return this.turns[turn === null || turn >= this.turns.length - 1 ? 0 : turn + 1];
  }
  get isActive() {
    return this.active;
  }
  get isView() {
    return game.combat === this[inner].proxy;
  }
  get name() {
    return this.scene?.name ?? 'Combat Encounter';
  }
  get current() {
    return historyOf(this);
  }
  get previous() {
    return this[inner].previous ?? { round: 0, turn: null, combatantId: null, tokenId: null };
  }
  getCombatantsByToken(token) {
    const id = typeof token === 'string' ? token : token.id;
    return this.combatants.filter(({ tokenId }) => tokenId === id);
  }
  getCombatantByToken(token) {
    return this.getCombatantsByToken(token)[0];
  }
  getCombatantsByActor(actor) {
    const id = typeof actor === 'string' ? actor : actor.id;
    return this.combatants.filter(({ actorId }) => actorId === id);
  }
  getCombatantByActor(actor) {
    return this.getCombatantsByActor(actor)[0];
  }
  /** Only the browser that starts it hears `combatStart`, before the change. */
  startCombat() {
    const update = { round: 1, turn: this.turns.length > 0 ? 0 : null };
    world.hooks.callAll('combatStart', this[inner].proxy, update);
    return this.update(update);
  }
  nextTurn() {
    if (this.round === 0) return this.nextRound();
    const next = (this.turn ?? -1) + 1;
    if (next >= this.turns.length) return this.nextRound();
    return turnTo(this, { round: this.round, turn: next }, 1, 'combatTurn');
  }
  previousTurn() {
    if (this.round === 0) return Promise.resolve(this[inner].proxy);
    if ((this.turn ?? 0) <= 0) return this.previousRound();
    return turnTo(this, { round: this.round, turn: this.turn - 1 }, -1, 'combatTurn');
  }
  nextRound() {
    const turn = this.turn === null ? null : 0;
    return turnTo(this, { round: this.round + 1, turn }, 1, 'combatRound');
  }
  previousRound() {
    const round = Math.max(this.round - 1, 0);
    const turn = round > 0 ? Math.max(this.turns.length - 1, 0) : null;
    return turnTo(this, { round, turn }, -1, 'combatRound');
  }
  async rollInitiative(ids, { formula = null, updateTurn = true, messageOptions = {} } = {}) {
    const current = this.combatant?.id;
    const updates = [];
    for (const id of [ids].flat()) {
      const combatant = this.combatants.get(id);
      if (!combatant?.isOwner) continue;
      const roll = combatant.getInitiativeRoll(formula ?? undefined);
      await roll.evaluate({ allowInteractive: false });
      updates.push({ _id: id, initiative: roll.total });
      const speaker = {
        scene: this[source].scene,
        actor: combatant.actorId,
        token: combatant.tokenId,
        alias: combatant.name,
      };
      const flavor = `${combatant.name} rolls for Initiative!`;
      await roll.toMessage(
        { speaker, flavor, flags: { core: { initiativeRoll: true } }, ...messageOptions },
        {},
      );
    }
    if (updates.length === 0) return this[inner].proxy;
    await this.updateEmbeddedDocuments('Combatant', updates);
    if (updateTurn && current) await this.update({ turn: this.turns.findIndex(({ id }) => id === current) });
    return this[inner].proxy;
  }
  rollAll(options) {
    return this.rollInitiative(
      unrolled(this, () => true),
      options,
    );
  }
  rollNPC(options) {
    return this.rollInitiative(
      unrolled(this, (combatant) => combatant.isNPC),
      options,
    );
  }
  async resetAll({ updateTurn = true } = {}) {
    await this.updateEmbeddedDocuments(
      'Combatant',
      this.combatants.map(({ id }) => ({ _id: id, initiative: null })),
    );
    if (updateTurn) await this.update({ turn: 0 });
    return this[inner].proxy;
  }
  setInitiative(id, value) {
    return this.combatants.get(id, { strict: true }).update({ initiative: value });
  }
  /** Asks first, as in the tabletop: who calls it from a program waits for a person. */
  async endCombat() {
    const isSure = await foundry.applications.api.DialogV2.confirm({ content: 'End this combat encounter?' });
    return isSure ? this.delete() : this[inner].proxy;
  }
  async activate(options) {
    for (const other of game.combats.filter(({ id, active }) => active && id !== this.id))
      await other.update({ active: false });
    return this.update({ active: true }, options);
  }
  toggleSceneLink() {
    const scene = this.scene ? null : (game.scenes.current?.id ?? null);
    return this.update({ scene });
  }
  [beforeChange]() {
    return historyOf(this);
  }
  [afterHook](action, { changed }) {
    if (action !== 'update' || !('turn' in changed || 'round' in changed)) return;
    const prior = this[inner].last ?? { round: 0, turn: null, combatantId: null, tokenId: null };
    const current = historyOf(this);
    Object.assign(this[inner], { previous: prior, last: current });
    if (prior.round === current.round && prior.turn === current.turn) return;
    world.hooks.callAll('combatTurnChange', this[inner].proxy, prior, current);
  }
}

const unrolled = (combat, test) =>
  combat.combatants
    .filter((entry) => entry.initiative === null && entry.isOwner && test(entry))
    .map(({ id }) => id);

function historyOf(combat) {
  const { combatant, round, turn } = combat;
  return { round, turn, combatantId: combatant?.id ?? null, tokenId: combatant?.tokenId ?? null };
}

/** The hooks of a step are the initiator's, before the change; the round's time goes by. */
function turnTo(combat, update, direction, hook) {
  const seconds = CONFIG.time.roundTime * (hook === 'combatRound' ? direction : 0);
  const options =
    facts.generation >= 13
      ? { direction, worldTime: { delta: seconds } }
      : { direction, advanceTime: seconds };
  world.hooks.callAll(hook, combat[inner].proxy, update, options);
  return combat.update(update, options);
}

export class Combatant extends Document {
  get combat() {
    return this.parent;
  }
  get actor() {
    return this.token?.actor ?? game.actors.get(this.actorId) ?? null;
  }
  get token() {
    return game.scenes.get(this.sceneId)?.tokens.get(this.tokenId) ?? null;
  }
  get name() {
    return this[source].name || this.token?.name || this.actor?.name || 'Unknown Combatant';
  }
  get img() {
    return this[source].img ?? this.token?.texture.src ?? this.actor?.img ?? 'icons/svg/mystery-man.svg';
  }
  get isNPC() {
    return !this.actor?.hasPlayerOwner;
  }
  get isDefeated() {
    return this.defeated || this.actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED) === true;
  }
  get visible() {
    return this.isOwner || !this.hidden;
  }
  get players() {
    return game.users.players.filter((user) => this.actor?.testUserPermission(user, 'OWNER'));
  }
  get isOwner() {
    return this.testUserPermission(game.user, 'OWNER');
  }
  get permission() {
    return this.getUserLevel(game.user);
  }
  get resource() {
    return null;
  }
  getUserLevel(user = game.user) {
    return this.actor?.getUserLevel(user) ?? (user.isGM ? 3 : 0);
  }
  getInitiativeRoll(formula) {
    const data = this.actor?.getRollData() ?? {};
    const of = this.actor?.getInitiativeRoll;
    if (formula === undefined && of) return this.actor.getInitiativeRoll();
    return new Roll(formula ?? CONFIG.Combat.initiative.formula ?? '1d20', data);
  }
  async rollInitiative(formula) {
    const roll = this.getInitiativeRoll(formula);
    await roll.evaluate();
    return this.update({ initiative: roll.total });
  }
  updateResource() {
    return null;
  }
  clearMovementHistory() {
    return Promise.resolve();
  }
}
