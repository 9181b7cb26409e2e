import {
  abilityModifier,
  abilityScore,
  proficiencyBonus,
  saveModifier,
  skillAbilities,
  skillModifier,
  spellSaveDc,
} from './rules/abilities.ts';
import { armorClass } from './rules/armor.ts';
import { levelThresholds } from './rules/experience.ts';
import { resourcesOf } from './rules/resources.ts';
import type { Actor, Combatant, Concentration, Encounter, Item, Skill, Token } from './state.ts';
import type { Document } from './document.ts';
import { isDocument, mergeDocument, withMore } from './store/merge.ts';
import type { Ability } from './ability.ts';

/** The last part of a UUID. */
export function idOf(uuid: string): string {
  return uuid.slice(uuid.lastIndexOf('.') + 1);
}

export function actorDocument(actor: Actor): Document {
  const known = {
    _id: idOf(actor.uuid),
    uuid: actor.uuid,
    name: actor.name,
    type: typeOf(actor),
    img: actor.img,
    prototypeToken: prototypeTokenOf(actor),
    system: {
      attributes: attributesOf(actor),
      abilities: abilitiesOf(actor),
      skills: skillsOf(actor),
      details: detailsOf(actor),
      resources: resourcesOf(actor),
      currency: actor.currency,
      spells: spellSlotsOf(actor),
    },
    ownership: ownershipOf(actor.owners, actor.kind === 'character' ? 1 : 0, actor.more),
    statuses: statusesOf(actor),
    _stats: { systemId },
  };
  return { folder: null, sort: 0, flags: {}, ...withMore(known, actor.more) };
}

/** The rules system, as documents name it. */
const systemId = 'dnd5e';

/** Types of actors that a document may have. The rules play all but the first as monsters. */
export const actorTypes: readonly unknown[] = ['character', 'npc', 'vehicle', 'group', 'base'];

function typeOf({ kind, more }: Actor): unknown {
  return actorTypes.includes(more?.['type']) ? more?.['type'] : kind;
}

/** First data of a token of this actor. */
function prototypeTokenOf({ name, img, kind, more }: Actor): Document {
  const isCharacter = kind === 'character';
  const known = {
    name,
    texture: { src: img, scaleX: 1, scaleY: 1 },
    width: 1,
    height: 1,
    actorLink: isCharacter,
    disposition: dispositions[kind],
    displayName: 20,
    sight: { enabled: isCharacter },
    hidden: false,
  };
  const { prototypeToken } = more ?? {};
  return isDocument(prototypeToken) ? mergeDocument(known, prototypeToken) : known;
}

/** Friendly and hostile, by the numbers of tabletops. */
const dispositions = { character: 1, npc: -1 } as const;

/** Permission levels by user: owners have 3, and `everyone` is the default. */
function ownershipOf(owners: readonly string[], everyone: number, more: Document = {}): Document {
  const written = isDocument(more['ownership']) ? more['ownership'] : {};
  const given = Object.entries(written).filter(([, level]) => level !== 3);
  return {
    default: everyone,
    ...Object.fromEntries(given),
    ...Object.fromEntries(owners.map((owner) => [owner, 3])),
  };
}

function attributesOf(actor: Actor): Document {
  const { hitDice, concentration } = actor;
  return {
    hp: actor.hitPoints,
    ac: { value: armorClass(actor) },
    hd: { value: hitDice.max - hitDice.spent, max: hitDice.max, denomination: `d${hitDice.faces}` },
    init: { total: abilityModifier(actor, 'dex') },
    movement: { walk: actor.speedFeet, units: 'ft' },
    prof: proficiencyBonus(actor),
    death: actor.deathSaves,
    life: actor.life,
    spellcasting: actor.spellcasting,
    spelldc: actor.spellcasting ? spellSaveDc(actor) : null,
    concentration: concentration?.spell ?? null,
  };
}

export function abilitiesOf(actor: Actor): Document {
  return Object.fromEntries(
    (Object.keys(actor.abilities) as Ability[]).map((ability) => [
      ability,
      {
        value: abilityScore(actor, ability),
        mod: abilityModifier(actor, ability),
        save: saveModifier(actor, ability),
        proficient: actor.abilities[ability].saveProficient ? 1 : 0,
      },
    ]),
  );
}

export function skillsOf(actor: Actor): Document {
  return Object.fromEntries(
    (Object.keys(skillAbilities) as Skill[]).map((skill) => {
      const total = skillModifier(actor, skill);
      const value = actor.skills[skill] ?? 0;
      const ability = skillAbilities[skill];
      const mod = abilityModifier(actor, ability);
      return [skill, { ability, value, mod, total, passive: 10 + total }];
    }),
  );
}

function detailsOf(actor: Actor): Document {
  const { level, race, className, background, alignment, creatureType, challenge, experience } = actor;
  return {
    level,
    race,
    class: className,
    background,
    alignment,
    type: creatureType,
    cr: challenge,
    xp: experience === null ? null : { value: experience, max: levelThresholds[level] ?? null },
  };
}

export function conditionsOf(actor: Actor): Document[] {
  return statusesOf(actor).map((id) => ({ id, name: id, img: `icons/conditions/${id}.svg` }));
}

export function itemDocument(item: Item, owners: readonly string[] = [], sort = 0): Document {
  const { id, name, type, effect, charges, spell, ...rest } = item;
  const known = {
    _id: id,
    name,
    type: typeof item.more?.['type'] === 'string' ? item.more['type'] : type,
    img: `icons/${type}.svg`,
    system: {
      description: { value: rest.description },
      quantity: rest.quantity,
      weight: { value: rest.weightPounds, units: 'lb' },
      equipped: rest.equipped,
      attunement: rest.attunement.required ? 'required' : '',
      attuned: rest.attunement.attuned,
      uses: charges ?? { value: null, max: null, recharge: null },
      ...spell,
      armor: rest.armor ?? null,
      activity: effect ?? null,
    },
    effects: [],
    folder: null,
    sort,
    ownership: { default: 0, ...Object.fromEntries(owners.map((owner) => [owner, 3])) },
    flags: {},
    _stats: { systemId },
  };
  return withMore(known, item.more);
}

export function itemDocuments(actor: Actor): Document[] {
  return actor.items.map((item, index) => itemDocument(item, actor.owners, index));
}

export function concentrationDocument(actor: Actor, { id, spell, itemUuid }: Concentration) {
  return {
    id,
    uuid: `${actor.uuid}.ActiveEffect.${id}`,
    name: `Concentrating: ${spell}`,
    icon: 'icons/conditions/concentrating.svg',
    statuses: ['concentrating'],
    origin: itemUuid,
  };
}

export function tokenDocument(token: Token, actor: Actor | undefined): Document {
  const known = {
    _id: idOf(token.uuid),
    uuid: token.uuid,
    name: token.name,
    actorUuid: token.actorUuid,
    actorId: idOf(token.actorUuid),
    actorLink: !token.actorUuid.startsWith('Scene.'),
    texture: { src: actor?.img ?? null },
    x: token.x,
    y: token.y,
    width: token.size,
    height: token.size,
    hidden: token.hidden,
    actor: actor ? actorDocument(actor) : null,
  };
  return withMore(known, token.more);
}

/** Its combatants stand in the order in which they joined. */
export function encounterDocument(encounter: Encounter, current: boolean) {
  const { id, name, round, turn, combatants, joined } = encounter;
  const placeOf = (one: Combatant) => joined.indexOf(one.id);
  const inOrder = combatants.toSorted((a, b) => placeOf(a) - placeOf(b));
  return { id, name, round, turn, current, combatants: inOrder.map((one): Combatant => ({ ...one })) };
}

function statusesOf(actor: Actor): string[] {
  return [
    ...actor.conditions,
    ...(actor.concentration ? ['concentrating'] : []),
    ...(actor.life === 'dead' || actor.life === 'stable' ? [actor.life] : []),
  ];
}

export function spellSlotsOf(actor: Actor): Document {
  const slots = Object.entries(actor.spellSlots).map(([level, { value, max }]) => [
    `spell${level}`,
    { value, max },
  ]);
  return { ...Object.fromEntries(slots), ...(actor.pactSlots && { pact: actor.pactSlots }) };
}
