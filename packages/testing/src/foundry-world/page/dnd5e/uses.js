import { Collection } from '../collections.js';
import { inner, source, world } from '../parts.js';
import { declare, deprecated, everywhere, facts, strict } from '../strict.js';
import { deepClone, escapeHTML, setProperty } from '../utils.js';
import { waitForPerson } from './rolls.js';

/** Using items: by themselves in 3.3, through their activities from 4.0 on. */

const isOld = () => facts.dnd5eFamily === '3.3';

/** Declares the tables of activities: methods by the release, fields by its models. */
export function declareActivities() {
  const members = everywhere([
    'id',
    'uuid',
    'item',
    'actor',
    'name',
    'img',
    'uses',
    'labels',
    'toObject',
    'update',
    'isActive',
    'relativeUUID',
  ]);
  for (const [key, fields] of Object.entries(facts.dnd5e.fields)) {
    const [, type] = /^Activity: (\w+)$/.exec(key) ?? [];
    if (type) for (const path of Object.keys(fields)) members[path.split('.')[0]] = '12-14';
  }
  declare('Activity', { more: { ...members, ...methodsOf('Activity'), ...methodsOf('AttackActivity') } });
}

/** Which methods of a class this release has. */
export function methodsOf(cls) {
  const out = {};
  for (const [name, forms] of Object.entries(facts.dnd5e.methods)) {
    const [of, member] = name.split('#');
    if (of !== cls || (typeof forms === 'object' && !(facts.dnd5eFamily in forms))) continue;
    const form = typeof forms === 'object' ? forms[facts.dnd5eFamily] : forms;
    out[member] = `${form.startsWith('static') ? 'static ' : ''}12-14`;
  }
  return out;
}

class Activity {
  constructor(data, item) {
    this[source] = data;
    this[inner] = { item };
    Object.assign(this, deepClone(data));
    const proxy = strict(this, 'Activity');
    this[inner].proxy = proxy;
    return proxy;
  }
  get id() {
    return this[source]._id;
  }
  get item() {
    return this[inner].item;
  }
  get actor() {
    return this.item.actor;
  }
  get uuid() {
    return `${this.item.uuid}.Activity.${this.id}`;
  }
  get canUse() {
    return this.item.isOwner;
  }
  getRollData() {
    return this.item.getRollData();
  }
  toObject() {
    return deepClone(this[source]);
  }
  update(changes) {
    return this.item.update({ system: { activities: { [this.id]: changes } } });
  }
  async use(usage = {}, dialog = {}, message = {}) {
    const item = this.item;
    if (!item.isOwner) return void ui.notifications.error('You have no permission to use this item');
    const config = {
      create: { measuredTemplate: true },
      consume: { resources: true, spellSlot: true },
      subsequentActions: true,
      ...usage,
    };
    if (!world.hooks.call('dnd5e.preUseActivity', this[inner].proxy, config, dialog, message))
      return undefined;
    if (dialog.configure !== false && (await waitForPerson(item.name)) === null) return undefined;
    const updates = config.consume === false ? {} : consume(item, this[source], config);
    if (!updates) return undefined;
    if (updates.item) await item.update(updates.item);
    if (updates.actor) await item.actor.update(updates.actor);
    if (config.concentration?.begin !== false && needsConcentration(item)) await begin(item.actor, item);
    const told = message.create === false ? undefined : await tell(item, this[source], message);
    // Its template waits for the mouse.
    if (config.create !== false && config.create.measuredTemplate && hasTemplate(this[source]))
      await waitForPerson('template');
    const results = {
      effects: [],
      templates: [],
      message: told,
      updates: { actor: updates.actor ?? {}, item: [], rolls: [] },
    };
    if (
      world.hooks.call('dnd5e.postUseActivity', this[inner].proxy, config, results) &&
      config.subsequentActions
    ) {
      if (this[source].type === 'attack' && message.create !== false) void this.rollAttack({}, {}, {});
    }
    return results;
  }
  async rollAttack(config = {}, dialog = {}, message = {}) {
    const { item } = this;
    const given = { ...config, subject: this[inner].proxy };
    if (!world.hooks.call('dnd5e.preRollAttackV2', given, dialog, message)) return null;
    if (dialog.configure !== false && (await waitForPerson('attack')) === null) return null;
    const { abilities, attributes } = item.actor.system;
    const ability = this[source].attack?.ability || (item[source].type === 'spell' ? 'int' : 'str');
    const [first = {}] = config.rolls ?? [];
    const { advantage = config.advantage, disadvantage = config.disadvantage } = first.options ?? {};
    const mode = Number(advantage === true) - Number(disadvantage === true);
    const dice = { 1: '2d20kh', [-1]: '2d20kl', 0: '1d20' }[mode];
    const roll = new world.D20Roll(
      `${dice} + ${abilities[ability].mod} + ${attributes.prof}`,
      {},
      { advantageMode: mode },
    );
    await roll.evaluate({ allowInteractive: false });
    const flags = { dnd5e: { roll: { type: 'attack', itemUuid: item.uuid }, messageType: 'roll' } };
    if (message.create !== false) {
      await roll.toMessage({
        speaker: ChatMessage.getSpeaker({ actor: item.actor }),
        flavor: `${item.name} - Attack Roll`,
        flags,
      });
    }
    world.hooks.callAll('dnd5e.rollAttackV2', [roll], { subject: this[inner].proxy, ammoUpdate: null });
    return [roll];
  }
  async rollDamage(config = {}, dialog = {}, message = {}) {
    if (dialog.configure !== false && (await waitForPerson('damage')) === null) return undefined;
    const base = this.item.system.damage?.base;
    const roll = new world.DamageRoll(
      base?.number ? `${base.number}d${base.denomination}` : '1',
      {},
      { isCritical: config.isCritical === true },
    );
    await roll.evaluate({ allowInteractive: false });
    if (message.create !== false) await roll.toMessage({ flavor: `${this.item.name} - Damage Roll` });
    return [roll];
  }
}

const hasTemplate = (data) => (data.target?.template?.type ?? '') !== '';

export function activitiesOf(item, record) {
  const proxy = item[inner].proxy;
  return new ActivityCollection(
    Object.entries(record).map(([id, data]) => [id, new Activity({ _id: id, ...data }, proxy)]),
  );
}

class ActivityCollection extends Collection {
  getByType(type) {
    return this.filter((activity) => activity.type === type);
  }
}

const hasSlots = (item) =>
  item[source].type === 'spell' && (item.system.level ?? 0) > 0 && !isFreeSpell(item);
const isFreeSpell = (item) => {
  const method = 'method' in item.system ? item.system.method : item.system.preparation.mode;
  return ['atwill', 'innate', 'ritual'].includes(method);
};

/** What a use costs; undefined where it cannot be paid, with a notification as the only reason. */
function consume(item, data, { consume: what, spell }) {
  const out = {};
  const { uses } = item.system;
  const isLimited = uses?.max && (isOld() ? item[source].system.uses.per : true);
  if (isLimited && what?.resources !== false) {
    const left = isOld() ? uses.value : uses.max - uses.spent;
    if (left < 1) return void ui.notifications.error(`${item.name} has no available uses remaining`);
    out.item = isOld() ? { 'system.uses.value': left - 1 } : { 'system.uses.spent': uses.spent + 1 };
  }
  if (hasSlots(item) && what?.spellSlot !== false) {
    const slot = spell?.slot ?? `spell${item.system.level}`;
    const left = item.actor.system.spells[slot]?.value ?? 0;
    if (left < 1) return void ui.notifications.error(`No spell slot of level ${item.system.level} is left`);
    out.actor = { [`system.spells.${slot}.value`]: left - 1 };
  }
  return out;
}

function tell(item, activity, message) {
  const speaker = ChatMessage.getSpeaker({ actor: item.actor });
  const flags = { dnd5e: { messageType: 'usage', item: { id: item.id, type: item.type, uuid: item.uuid } } };
  if (activity)
    setProperty(flags, 'dnd5e.activity', {
      id: activity._id,
      type: activity.type,
      uuid: `${item.uuid}.Activity.${activity._id}`,
    });
  const content = `<div class="dnd5e2 chat-card">${escapeHTML(item.name)}</div>`;
  return ChatMessage.create({ speaker, content, flags, ...message.data });
}

const needsConcentration = (item) =>
  item.actor &&
  item[source].type === 'spell' &&
  (item[source].system.properties ?? []).includes('concentration');

export function concentrationOf(actor) {
  const found = { items: new Set(), effects: new Set() };
  const limit = actor.system.attributes?.concentration?.limit;
  if (!limit) return found;
  for (const effect of actor.effects) {
    if (!effect.statuses.has(CONFIG.specialStatusEffects.CONCENTRATING)) continue;
    found.effects.add(effect);
    const flags = effect.flags.dnd5e ?? {};
    const data = isOld() ? flags.itemData : (flags.item?.id ?? flags.item?.data);
    const item = typeof data === 'string' ? actor.items.get(data) : undefined;
    if (item) found.items.add(item);
  }
  return found;
}

export async function begin(actor, item) {
  if (!world.hooks.call('dnd5e.preBeginConcentrating', actor, item, {})) return undefined;
  const limit = actor.system.attributes.concentration.limit;
  for (const effect of [...concentrationOf(actor).effects].slice(
    0,
    Math.max(0, concentrationOf(actor).effects.size - limit + 1),
  )) {
    await end(actor, effect);
  }
  const flags = isOld() ? { itemData: item.id } : { item: { type: item.type, id: item.id, uuid: item.uuid } };
  const status = await ActiveEffect.fromStatusEffect(CONFIG.specialStatusEffects.CONCENTRATING);
  const data = {
    ...status.toObject(),
    name: `Concentrating: ${item.name}`,
    origin: item.uuid,
    flags: { dnd5e: flags },
    _id: null,
  };
  const [effect] = await actor.createEmbeddedDocuments('ActiveEffect', [data]);
  world.hooks.callAll('dnd5e.beginConcentrating', actor, item, effect);
  return effect;
}

export async function end(actor, target) {
  const { effects } = concentrationOf(actor);
  const fits = (effect) =>
    target === undefined ||
    effect === target ||
    effect.id === target ||
    effect.origin === target?.uuid ||
    effect.origin?.endsWith(`.${target}`);
  const ended = [];
  for (const effect of effects) {
    if (!fits(effect) || !world.hooks.call('dnd5e.preEndConcentration', actor, effect)) continue;
    await effect.delete();
    ended.push(effect);
    world.hooks.callAll('dnd5e.endConcentration', actor, effect);
  }
  return ended;
}

/** `Item#use` of the release. */
export async function useItem(item, config = {}, dialog = {}, message = {}) {
  if (isOld()) return useOld(item, config, dialog);
  if (facts.dnd5eFamily === '4.4' && config.legacy !== false) deprecated('Item#use without legacy: false');
  const activities = item.system.activities?.filter((activity) => activity.canUse) ?? [];
  if (activities.length === 0) return item.actor ? tell(item, undefined, message) : undefined;
  // Two and more ask which.
  if (activities.length > 1 && (await waitForPerson(item.name)) === null) return undefined;
  return activities[0].use(config, dialog, message);
}

async function useOld(item, config, { configureDialog = true, createMessage = true, ...options } = {}) {
  if (!item.isOwner) return null;
  if (!world.hooks.call('dnd5e.preUseItem', item, config, options)) return undefined;
  if (configureDialog && (await waitForPerson(item.name)) === null) return undefined;
  const updates = consume(item, undefined, {
    consume: { resources: config.consumeUsage, spellSlot: config.consumeSpellSlot },
  });
  if (!updates) return undefined;
  if (updates.item) await item.update(updates.item);
  if (updates.actor) await item.actor.update(updates.actor);
  if (needsConcentration(item)) await begin(item.actor, item);
  const message = createMessage
    ? await tell(item, undefined, { data: { flags: options.flags ?? {} } })
    : { content: item.name };
  world.hooks.callAll('dnd5e.useItem', item, config, options, null);
  return message;
}
