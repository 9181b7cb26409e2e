import { source, world } from '../parts.js';
import { facts, strictData } from '../strict.js';
import { deepClone, mergeObject, setProperty } from '../utils.js';

/** The data models of the system: what is stored by the release's table of fields, and the numbers that are made of it. */

const defaults = new Map();

/** The type that a field has in this release: `string @3.3 ; number @5.3,6.0`. */
function typeIn(text) {
  for (const part of text.split(' ; ')) {
    const [type, families] = part.split(' @');
    if (families === undefined || families.split(',').includes(facts.dnd5eFamily)) return type;
  }
  return undefined;
}

function initial(type) {
  if (type.includes('null')) return null;
  if (type === 'number') return 0;
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  return ['set', 'array'].includes(type) ? [] : {};
}

/** Keys of records that every document of the type has. */
const keysOf = {
  'system.abilities': () => facts.dnd5e.config.abilities.slice(0, 6),
  'system.skills': () => facts.dnd5e.config.skills,
  'system.currency': () => facts.dnd5e.config.currencies,
  'system.spells': () => ['pact', ...Array.from({ length: 9 }, (_, index) => `spell${index + 1}`)],
};

const skillAbilities = {
  acr: 'dex',
  ani: 'wis',
  arc: 'int',
  ath: 'str',
  dec: 'cha',
  his: 'int',
  ins: 'wis',
  itm: 'cha',
  inv: 'int',
  med: 'wis',
  nat: 'int',
  prc: 'wis',
  prf: 'cha',
  per: 'cha',
  rel: 'int',
  slt: 'dex',
  ste: 'dex',
  sur: 'wis',
};

const known = {
  'attributes.hp': { value: 10, max: 10 },
  'attributes.attunement': { max: 3 },
  'attributes.concentration': { limit: 1 },
};

/** The system's data of a new document of that name and type. */
function systemDefaults(name, type) {
  const key = `${name}: ${type}`;
  if (!defaults.has(key)) defaults.set(key, build(key));
  return deepClone(defaults.get(key));
}

function build(key) {
  const out = { system: {} };
  for (const [path, text] of Object.entries(facts.dnd5e.fields[key] ?? {})) {
    const value = typeIn(text);
    if (value === undefined) continue;
    const [head, rest] = path.split('.*');
    if (rest === undefined) setProperty(out, path, initial(value));
    else if (path.split('*').length === 2) {
      for (const name of keysOf[head]?.() ?? []) setProperty(out, `${head}.${name}${rest}`, initial(value));
    }
  }
  const { system } = out;
  for (const ability of Object.values(system.abilities ?? {})) ability.value = 10;
  for (const [skill, data] of Object.entries(system.skills ?? {})) data.ability = skillAbilities[skill];
  for (const [path, value] of Object.entries(known)) {
    const [group, field] = path.split('.');
    if (system[group]?.[field]) mergeObject(system[group][field], value, { insertKeys: false });
  }
  return system;
}

export function completeSystem(name, data) {
  if (!facts.dnd5e.fields[`${name}: ${data.type}`]) return;
  const stored = data.system;
  data.system = mergeObject(systemDefaults(name, data.type), stored);
}

const free = (path) =>
  /#system\.(activities|advancement|tools|spells|scale|scaling)(\.|$)|\.(ranges|currency|flags)(\.|$)/.test(
    path,
  );

/** `document.system` as code reads it. */
export function prepareSystem(document) {
  const name = document.documentName;
  const data = deepClone(document[source].system);
  const { type } = document[source];
  if (name === 'Actor' && data.abilities) deriveActor(document, data);
  if (name === 'Item') deriveItem(document, data);
  return strictData(data, `${name}(${type})#system`, free);
}

const modifier = (value) => Math.floor((value - 10) / 2);

function deriveActor(actor, data) {
  const level = actor[source].items.reduce(
    (sum, { type, system }) => sum + (type === 'class' ? (system.levels ?? 0) : 0),
    0,
  );
  const prof = Math.max(
    2,
    Math.floor(((actor[source].type === 'npc' ? (data.details.cr ?? 1) : level) + 7) / 4),
  );
  data.attributes.prof = prof;
  if (actor[source].type === 'character') data.details.level = level;
  for (const ability of Object.values(data.abilities)) {
    ability.mod = modifier(ability.value);
    const save = ability.mod + (ability.proficient ? prof : 0);
    // From 4.4 the field holds the roll's limits beside the value.
    ability.save = typeof ability.save === 'object' && ability.save ? { ...ability.save, value: save } : save;
  }
  for (const skill of Object.values(data.skills ?? {})) {
    skill.mod = data.abilities[skill.ability]?.mod ?? 0;
    skill.total = skill.mod + Math.floor(prof * skill.value);
    skill.passive = 10 + skill.total;
  }
  const dexterity = data.abilities.dex?.mod ?? 0;
  data.attributes.init = { ...data.attributes.init, mod: dexterity, total: dexterity };
  data.attributes.ac = { ...data.attributes.ac, value: data.attributes.ac.flat ?? 10 + dexterity };
  for (const [key, slot] of Object.entries(data.spells ?? {}))
    Object.assign(slot, { max: slot.override ?? 0, level: Number(key.slice(5)) || 0 });
}

function deriveItem(item, data) {
  if (data.uses && 'spent' in data.uses) {
    const max = Number(data.uses.max) || 0;
    data.uses = {
      ...data.uses,
      max: data.uses.max === '' ? null : max,
      value: data.uses.max === '' ? null : max - data.uses.spent,
    };
  }
  if ('properties' in data) data.properties = new Set(data.properties);
  if ('activities' in data && world.activitiesOf) data.activities = world.activitiesOf(item, data.activities);
  if (facts.dnd5eFamily >= '5.3' && 'attunement' in data) data.canAttune = data.attunement !== '';
}
