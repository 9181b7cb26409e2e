import type { OperationResult, WireParameters } from '@tabletop-relay/module-sdk';
import type { Actor, Data, Item } from '../../tabletop/documents.ts';
import { findOwnActor } from '../../operations/acting.ts';
import { isData } from '../../versions/core-version.ts';
import type { SystemHandlers } from '../system.ts';
import { fieldOf, numberOf } from './sheet.ts';
import type { Sheet } from './sheet.ts';

type Details = OperationResult<'get-actor-details'>['data'];
type Part = WireParameters<'get-actor-details'>['details'][number];

/** What an actor's sheet tells, part by part. */
export const details = {
  async 'get-actor-details'({ actorUuid, details: parts }, { user }) {
    const actor = await findOwnActor(user, { actorUuid });
    const told = parts.map((part) => tellers[part](actor));
    return { data: Object.assign({ uuid: actor.uuid }, ...told) as Details };
  },
} satisfies Partial<SystemHandlers>;

const tellers: Readonly<Record<Part, (actor: Actor) => Partial<Details>>> = {
  resources: (actor) => ({ resources: resourcesOf(actor) }),
  items: (actor) => ({ items: itemsOf(actor, (type) => type !== 'spell' && !features.has(type)) }),
  features: (actor) => ({ features: itemsOf(actor, (type) => features.has(type)) }),
  spells: (actor) => ({
    spells: itemsOf(actor, (type) => type === 'spell'),
    spellSlots: slotsOf(actor),
  }),
  stats: (actor) => ({ stats: statsOf(actor) }),
  abilities: (actor) => ({ abilities: abilitiesOf(actor) }),
  skills: (actor) => ({ skills: skillsOf(actor) }),
  details: (actor) => ({ details: plainOf(fieldOf(actor, 'details')) }),
  conditions: (actor) => ({ conditions: conditionsOf(actor), concentration: concentrationOf(actor) }),
};

const features = new Set(['feat', 'class', 'subclass', 'background', 'race']);

function itemsOf(actor: Actor, isWanted: (type: string) => boolean): NonNullable<Details['items']> {
  const found = actor.items.filter(({ type }) => isWanted(type));
  return found.map((item: Item) => item.toObject()) as unknown as NonNullable<Details['items']>;
}

/** Characters have three of their own, monsters those of their legends. */
function resourcesOf(actor: Actor): Data {
  const names = actor.type === 'npc' ? ['legact', 'legres', 'lair'] : ['primary', 'secondary', 'tertiary'];
  const entries = names.flatMap((name) => {
    const resource = fieldOf(actor, `resources.${name}`);
    return resource === undefined ? [] : [[name, plainOf(resource)] as const];
  });
  return Object.fromEntries(entries);
}

function slotsOf(actor: Actor): Data {
  const slots = fieldOf(actor, 'spells');
  const used = Object.entries(isData(slots) ? slots : {}).flatMap(([name, slot]) => {
    const { value, max, level } = slot as { value?: number; max?: number; level?: number };
    if (!max) return [];
    return [[name, { value: value ?? 0, max, ...(name === 'pact' && { level: level ?? 0 }) }] as const];
  });
  return Object.fromEntries(used);
}

function statsOf(actor: Actor): NonNullable<Details['stats']> {
  const { name, img, uuid } = actor;
  const number = (path: string) => numberOf(actor, path) ?? null;
  const death = fieldOf(actor, 'attributes.death') as { success: number; failure: number } | undefined;
  const load = fieldOf(actor, 'attributes.encumbrance') as { value?: number; max?: number } | undefined;
  const inspiration = fieldOf(actor, 'attributes.inspiration');
  return {
    name,
    img,
    uuid,
    level: number('details.level') ?? number('details.cr'),
    profBonus: number('attributes.prof'),
    ac: number('attributes.ac.value'),
    hp: {
      value: number('attributes.hp.value'),
      max: number('attributes.hp.max'),
      temp: number('attributes.hp.temp'),
    },
    speed: number('attributes.movement.walk') ?? number('attributes.movement.speeds.walk'),
    exhaustion: number('attributes.exhaustion'),
    inspiration: typeof inspiration === 'boolean' ? inspiration : null,
    initBonus: number('attributes.init.total') ?? number('attributes.init.mod'),
    deathSaves: death ? { success: death.success, failure: death.failure } : null,
    encumbrance: load ? { value: load.value ?? null, max: load.max ?? null } : null,
    currency: plainOf(fieldOf(actor, 'currency')),
  };
}

function abilitiesOf(actor: Actor): Data {
  return eachOf(fieldOf(actor, 'abilities'), ({ value, mod, save, proficient }) => ({
    value,
    mod,
    // Later releases keep more about a save than its number.
    save: isData(save) ? save['value'] : save,
    proficient,
  }));
}

function skillsOf(actor: Actor): Data {
  return eachOf(fieldOf(actor, 'skills'), ({ ability, total, mod, value, passive }) => ({
    ability,
    total,
    mod,
    value,
    passive,
  }));
}

const eachOf = (of: unknown, tell: (one: Data) => Data): Data =>
  Object.fromEntries(
    Object.entries(isData(of) ? of : {}).map(([name, one]) => [name, tell(isData(one) ? one : {})]),
  );

/** The data of a model, without what it works with. */
const plainOf = (value: unknown): Data => (JSON.parse(JSON.stringify(value ?? {})) as Data | null) ?? {};

const conditionsOf = (actor: Actor): { id: string; name: string }[] =>
  actor.effects
    .filter(({ disabled }) => !disabled)
    .flatMap(({ name, statuses }) => [...statuses].map((id) => ({ id, name })));

function concentrationOf(actor: Actor): NonNullable<Details['concentration']> {
  const { effects, items } = (actor as Sheet).concentration;
  const [item] = items;
  return { active: effects.size > 0, ...(item && { name: item.name }) };
}
