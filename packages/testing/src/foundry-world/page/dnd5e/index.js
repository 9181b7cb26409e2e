import { Actor, Item } from '../actors.js';
import { define } from '../document.js';
import { inner, world } from '../parts.js';
import { declare, defineGlobal, facts, strictClass, strictSpace } from '../strict.js';
import { completeSystem, prepareSystem } from './model.js';
import { rest } from './rests.js';
import { D20Roll, DamageRoll, rolls } from './rolls.js';
import { activitiesOf, begin, concentrationOf, declareActivities, end, methodsOf, useItem } from './uses.js';

/** The game system: its classes over those of the core, `CONFIG.DND5E`, its settings and its namespace. */

class Actor5e extends Actor {
  get concentration() {
    return concentrationOf(this);
  }
  get classes() {
    return Object.fromEntries(
      this.items
        .filter(({ type }) => type === 'class')
        .map((item) => [item.system.identifier || item.name.toLowerCase(), item]),
    );
  }
  get spellcastingClasses() {
    return this.classes;
  }
  get isPolymorphed() {
    return this.getFlag('dnd5e', 'isPolymorphed') ?? false;
  }
  beginConcentrating(item) {
    return begin(this[inner].proxy, item.item ?? item);
  }
  endConcentration(target) {
    return end(this[inner].proxy, target);
  }
  shortRest(config) {
    return rest(this[inner].proxy, 'short', config);
  }
  longRest(config) {
    return rest(this[inner].proxy, 'long', config);
  }
  initiateRest({ type = 'short', ...config } = {}) {
    return rest(this[inner].proxy, type, config);
  }
  getInitiativeRoll({ advantageMode = 0 } = {}) {
    const dice = { 1: '2d20kh', [-1]: '2d20kl', 0: '1d20' }[advantageMode];
    return new world.D20Roll(`${dice} + ${this.system.attributes?.init?.total ?? 0}`, {}, { advantageMode });
  }
  async challengeConcentration({ dc = 10 } = {}) {
    const content = `${this.name}: concentration, DC ${dc}`;
    return this.system.attributes.concentration ? ChatMessage.create({ content }) : null;
  }
  hasConditionEffect() {
    return false;
  }
  async applyDamage(damages) {
    const amount = typeof damages === 'number' ? damages : damages.reduce((sum, { value }) => sum + value, 0);
    if (!world.hooks.call('dnd5e.preApplyDamage', this[inner].proxy, amount, {}, {}))
      return this[inner].proxy;
    const { hp } = this.system.attributes;
    const taken = Math.min(hp.temp ?? 0, Math.max(amount, 0));
    const value = Math.min(Math.max(hp.value - (amount - taken), 0), hp.max);
    await this.update({
      'system.attributes.hp.temp': (hp.temp ?? 0) - taken,
      'system.attributes.hp.value': value,
    });
    world.hooks.callAll('dnd5e.applyDamage', this[inner].proxy, amount, {});
    return this[inner].proxy;
  }
  applyTempHP(amount = 0) {
    const temp = this.system.attributes.hp.temp ?? 0;
    return amount > temp
      ? this.update({ 'system.attributes.hp.temp': amount })
      : Promise.resolve(this[inner].proxy);
  }
}
Object.assign(Actor5e.prototype, rolls);

class Item5e extends Item {
  use(config, dialog, message) {
    return useItem(this[inner].proxy, config, dialog, message);
  }
  get identifier() {
    return ('identifier' in this.system && this.system.identifier) || this.name.toLowerCase();
  }
  get hasDamage() {
    return this.type === 'weapon';
  }
  /** 3.3 alone, where items have no activities. */
  async rollAttack({ fastForward = false, advantage, disadvantage, parts = [], chatMessage = true } = {}) {
    if (!this.hasAttack) throw new Error('You may not place an Attack Roll with this Item.');
    if (!world.hooks.call('dnd5e.preRollAttack', this[inner].proxy, {})) return undefined;
    if (!fastForward && (await world.askPerson(this.name)) === null) return null;
    const { abilities, attributes } = this.actor.system;
    const mode = Number(advantage === true) - Number(disadvantage === true);
    const dice = { 1: '2d20kh', [-1]: '2d20kl', 0: '1d20' }[mode];
    const formula = [dice, abilities.str.mod, attributes.prof, ...parts].join(' + ');
    const roll = new world.D20Roll(formula, {}, { advantageMode: mode });
    await roll.evaluate({ allowInteractive: false });
    if (chatMessage) await roll.toMessage({ flavor: `${this.name} - Attack Roll` });
    world.hooks.callAll('dnd5e.rollAttack', this[inner].proxy, roll, null);
    return roll;
  }
  async rollDamage({ critical = false, options = {} } = {}) {
    if (!this.hasDamage) throw new Error('You may not make a Damage Roll with this Item.');
    if (!options.fastForward && (await world.askPerson(this.name)) === null) return null;
    const [[formula] = ['1']] = this.system.damage.parts;
    const roll = new world.DamageRoll(formula, this.getRollData(), { isCritical: critical });
    await roll.evaluate({ allowInteractive: false });
    if (options.chatMessage !== false) await roll.toMessage({ flavor: `${this.name} - Damage Roll` });
    return [roll];
  }
  get isActive() {
    return true;
  }
  get hasAttack() {
    return this.type === 'weapon';
  }
  get hasLimitedUses() {
    return Boolean(this.system.uses?.max);
  }
  get requiresConcentration() {
    return [...(this.system.properties ?? [])].includes('concentration');
  }
  displayCard() {
    return ChatMessage.create({ content: this.name, speaker: ChatMessage.getSpeaker({ actor: this.actor }) });
  }
}

class CurrencyManager {
  static async transferCurrency(origin, destinations, amounts) {
    for (const [index, to] of [destinations].flat().entries()) {
      const from = {};
      const into = {};
      for (const [coin, amount] of Object.entries([amounts].flat()[index] ?? {})) {
        from[`system.currency.${coin}`] = (origin.system.currency[coin] ?? 0) - amount;
        into[`system.currency.${coin}`] = (to.system.currency[coin] ?? 0) + amount;
      }
      await origin.update(from);
      await to.update(into);
    }
  }
}

/** The system's configuration: names by the release; values where the tables have them. */
function configuration() {
  const config = {};
  for (const [name, families] of Object.entries(facts.dnd5e.configNames)) {
    if (families === 'all' || families.split(' ').includes(facts.dnd5eFamily)) config[name] = {};
  }
  for (const [name, values] of Object.entries(facts.dnd5e.config)) {
    if (!(name in config)) continue;
    const keys = Array.isArray(values) ? values : (values[facts.dnd5eFamily] ?? []);
    config[name] = Object.fromEntries(keys.map((key) => [key, { label: `DND5E.${name}.${key}`, name: key }]));
  }
  return config;
}

/** What the system adds to the core before modules run. */
export function installSystem() {
  facts.dnd5e.config = flattenConfig(facts.dnd5e.config);
  Object.assign(world, {
    completeSystem,
    prepareSystem,
    activitiesOf: facts.dnd5eFamily === '3.3' ? undefined : activitiesOf,
  });
  declareActivities();
  const config = configuration();
  for (const roll of [D20Roll, DamageRoll]) {
    const name = roll === D20Roll ? 'D20Roll' : 'DamageRoll';
    declare(name, {
      parents: ['Roll'],
      more: {
        ...methodsOf('BasicRoll'),
        ...methodsOf(name),
        ADV_MODE: 'static 12-14',
        isFailure: '12-14',
        isSuccess: '12-14',
        isFumble: '12-14',
      },
    });
    world[name] = strictClass(roll, name);
  }
  define('Actor', Actor5e, { more: { ...methodsOf('Actor'), type: '12-14' } });
  define('Item', Item5e, { more: { ...methodsOf('Item'), type: '12-14' } });
  return config;
}

/** Tables that all releases share are lists; the others have the release's. */
const flattenConfig = (config) =>
  Object.fromEntries(
    Object.entries(config).map(([name, values]) => [
      name,
      Array.isArray(values) ? values : (values[facts.dnd5eFamily] ?? []),
    ]),
  );

/** `dnd5e`, also `game.dnd5e`. */
export function systemNamespace(config) {
  const space = strictSpace(
    {
      config,
      applications: strictSpace({ CurrencyManager }, 'dnd5e.applications'),
      dice: strictSpace({ D20Roll: world.D20Roll, DamageRoll: world.DamageRoll }, 'dnd5e.dice'),
      documents: strictSpace({ Actor5e: world.classes.Actor, Item5e: world.classes.Item }, 'dnd5e.documents'),
    },
    'dnd5e',
  );
  defineGlobal('dnd5e', space);
  return space;
}

export function registerSystemSettings(settings) {
  const texts = { rulesVersion: facts.dnd5eFamily >= '5.3' ? 'modern' : 'legacy', restVariant: 'normal' };
  for (const [name, families] of Object.entries(facts.dnd5e.settings)) {
    if (families !== 'all' && !families.split(' ').includes(facts.dnd5eFamily)) continue;
    const value = texts[name] ?? name === 'allowRests';
    settings.register('dnd5e', name, {
      scope: 'world',
      config: false,
      default: value,
      type: typeof value === 'string' ? String : Boolean,
    });
  }
}
