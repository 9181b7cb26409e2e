import { source, world } from '../parts.js';
import { facts } from '../strict.js';
import { waitForPerson } from './rolls.js';

/** Rests: what they give back, and the result in the release's form. */

const capitalize = (text) => text[0].toUpperCase() + text.slice(1);
const isOld = () => facts.dnd5eFamily === '3.3';

export async function rest(actor, type, config = {}) {
  if (actor.type === 'vehicle' || !actor.system.attributes?.hp) return undefined;
  const settings = {
    type,
    dialog: true,
    chat: true,
    newDay: type === 'long',
    autoHD: false,
    autoHDThreshold: 3,
    ...config,
  };
  if (
    facts.dnd5eFamily >= '5.3' &&
    !game.user.isGM &&
    !game.settings.get('dnd5e', 'allowRests') &&
    !config.request
  ) {
    return void ui.notifications.warn('Rests are not allowed');
  }
  if (!world.hooks.call(`dnd5e.pre${capitalize(type)}Rest`, actor, settings)) return undefined;
  if (settings.dialog && (await waitForPerson(`${type} rest`)) === null) return undefined;
  const clone = actor.clone({}, { keepId: true });
  const before = actor.system.attributes.hp.value;
  const rolls =
    type === 'short' && settings.autoHD ? await spendHitDice(actor, settings.autoHDThreshold) : [];
  const updateData = type === 'long' ? recoverAll(actor) : {};
  const updateItems = recoverItems(actor, settings);
  const after = updateData['system.attributes.hp.value'] ?? actor.system.attributes.hp.value;
  const deltas = { hitPoints: after - before, hitDice: -rolls.length };
  const result = shape({ type, clone, deltas, newDay: settings.newDay, rolls, updateData, updateItems });
  if (!world.hooks.call('dnd5e.preRestCompleted', actor, result, settings)) return result;
  if (Object.keys(updateData).length > 0) await actor.update(updateData);
  if (updateItems.length > 0) await actor.updateEmbeddedDocuments('Item', updateItems);
  if (settings.chat) {
    const message = await ChatMessage.create({
      content: `${actor.name} takes a ${type} rest.`,
      speaker: ChatMessage.getSpeaker({ actor }),
      ...(isOld()
        ? {}
        : facts.dnd5e.documentTypes.ChatMessage?.[facts.dnd5eFamily]?.includes('rest')
          ? { type: 'rest' }
          : {}),
    });
    if (facts.dnd5eFamily >= '5.3') result.message = message;
  }
  world.hooks.callAll('dnd5e.restCompleted', actor, result, settings);
  world.hooks.callAll(`dnd5e.${type}Rest`, actor, settings);
  return result;
}

function shape({ type, clone, deltas, newDay, rolls, updateData, updateItems }) {
  const common = { newDay, rolls, updateData, updateItems };
  if (isOld()) return { dhp: deltas.hitPoints, dhd: deltas.hitDice, longRest: type === 'long', ...common };
  return { type, clone, deltas, ...(facts.dnd5eFamily >= '5.3' ? { deleteItems: [] } : {}), ...common };
}

function recoverAll(actor) {
  const { attributes, spells = {} } = actor.system;
  const updates = {};
  if (attributes.hp.value !== attributes.hp.max) updates['system.attributes.hp.value'] = attributes.hp.max;
  if (attributes.exhaustion > 0) updates['system.attributes.exhaustion'] = attributes.exhaustion - 1;
  for (const [key, { value, max }] of Object.entries(spells))
    if (max && value < max) updates[`system.spells.${key}.value`] = max;
  return updates;
}

/** Uses come back by their period: `sr`, `lr` and `day`. */
function recoverItems(actor, { type, newDay }) {
  const periods = [type === 'long' ? ['lr', 'sr'] : ['sr'], newDay ? ['day'] : []].flat();
  const updates = [];
  for (const item of actor.items) {
    const { uses } = item[source].system;
    if (!uses) continue;
    if (isOld()) {
      const max = Number(uses.max) || 0;
      if (periods.includes(uses.per) && uses.value !== max)
        updates.push({ _id: item.id, 'system.uses.value': max });
    } else if (uses.spent > 0 && (uses.recovery ?? []).some(({ period }) => periods.includes(period))) {
      updates.push({ _id: item.id, 'system.uses.spent': 0 });
    }
  }
  return updates;
}

/** Hit dice of the classes are spent while `threshold` or more hit points are missing. */
async function spendHitDice(actor, threshold) {
  const rolls = [];
  for (;;) {
    const { hp } = actor.system.attributes;
    const cls = actor.items.find((item) => item.type === 'class' && spent(item) < item.system.levels);
    if (!cls || hp.max - hp.value < threshold) return rolls;
    const die = (isOldDice(cls) ? cls.system.hitDice : cls.system.hd.denomination) || 'd8';
    const roll = new Roll(die.replace(/^d/, '1d'));
    await roll.evaluate({ allowInteractive: false });
    await roll.toMessage({ speaker: ChatMessage.getSpeaker({ actor }), flavor: 'Hit Die' });
    await cls.update(
      isOldDice(cls) ? { 'system.hitDiceUsed': spent(cls) + 1 } : { 'system.hd.spent': spent(cls) + 1 },
    );
    await actor.update({ 'system.attributes.hp.value': Math.min(hp.max, hp.value + roll.total) });
    rolls.push(roll);
  }
}

const isOldDice = (cls) => 'hitDiceUsed' in cls.system;
const spent = (cls) => (isOldDice(cls) ? cls.system.hitDiceUsed : cls.system.hd.spent);
