import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorUuid, document, nullable, selected, selectedReasons } from '../parameters.ts';

const actorDetails = [
  'resources',
  'items',
  'spells',
  'features',
  'stats',
  'abilities',
  'skills',
  'details',
  'conditions',
] as const;

const numberOrNull = Type.Union([Type.Number(), Type.Null()]);

const resource = Type.Object({
  value: numberOrNull,
  max: numberOrNull,
  sr: Type.Boolean({ description: 'Whether a short rest restores it.' }),
  lr: Type.Boolean({ description: 'Whether a long rest restores it.' }),
  label: Type.String(),
});

/** Monsters have others in their place, by the names of the rules system. */
const resources = Type.Object(
  {
    primary: Type.Optional(resource),
    secondary: Type.Optional(resource),
    tertiary: Type.Optional(resource),
    legact: Type.Optional(document('Legendary actions of a monster.')),
    legres: Type.Optional(document('Legendary resistances of a monster.')),
    lair: Type.Optional(document('Its lair actions.')),
  },
  { description: 'Characters have the first three; monsters what the rules system gives them.' },
);

const number = Type.Optional(numberOrNull);

/** Each may be missing: monsters lack some, and rules systems of one family differ. */
const stats = Type.Object(
  {
    name: Type.Optional(Type.String()),
    img: Type.Optional(nullable(Type.String())),
    uuid: Type.Optional(Type.String()),
    level: number,
    profBonus: number,
    ac: Type.Optional(nullable(Type.Number(), 'Armour class.')),
    hp: Type.Optional(nullable(Type.Object({ value: number, max: number, temp: number }))),
    speed: Type.Optional(Type.Unknown({ description: 'Of walking; a number, mostly feet.' })),
    exhaustion: number,
    inspiration: Type.Optional(nullable(Type.Boolean())),
    initBonus: number,
    deathSaves: Type.Optional(nullable(Type.Object({ success: number, failure: number }))),
    encumbrance: Type.Optional(
      nullable(Type.Object({ value: number, max: number }, { description: 'In pounds, mostly.' })),
    ),
    currency: Type.Optional(nullable(document('Coins by denomination.'))),
  },
  { description: 'Each may be missing: monsters lack some.' },
);

const embeddedItem = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  img: Type.String(),
  system: document('The rules system’s data.'),
  effects: Type.Array(Type.Unknown()),
  folder: Type.Union([Type.String(), Type.Null()]),
  sort: Type.Number(),
  ownership: Type.Record(Type.String(), Type.Number(), { description: 'Permission level by user id.' }),
  flags: document('What modules store on it.'),
  _stats: document('Where it came from and when it changed.'),
});

const embeddedItems = Type.Optional(Type.Array(embeddedItem));

export const actors = {
  'get-actor-details': query({
    summary: 'Read an actor’s resources, spells, items and more',
    description:
      'The answer has the details that were asked for and no others. Today’s modules give them whole to every user who may at least see that the actor is there.',
    scope: 'sys5e:read',
    parameters: {
      actorUuid,
      details: Type.Array(Type.Enum([...actorDetails]), {
        minItems: 1,
        byCommas: true,
        description:
          'What to return. In a query string: with commas, as JSON text, or the parameter repeated.',
      }),
    },
    result: Type.Object({
      data: Type.Object({
        uuid: Type.String(),
        resources: Type.Optional(resources),
        spells: embeddedItems,
        spellSlots: Type.Optional(
          document('With `spells`: `value` and `max` by level, `spell1` to `spell9`, and `pact`.'),
        ),
        items: embeddedItems,
        features: embeddedItems,
        stats: Type.Optional(stats),
        abilities: Type.Optional(
          document('By abbreviation (`str`, `dex`, ...): `value`, `mod`, `save`, `proficient`.'),
        ),
        skills: Type.Optional(
          document('By abbreviation (`acr`, `ani`, ...): `ability`, `total`, `mod`, `value`, `passive`.'),
        ),
        details: Type.Optional(document('Race, background, class, alignment, biography and the like.')),
        conditions: Type.Optional(Type.Array(Type.Unknown({ description: 'A condition: `id` and `name`.' }))),
        concentration: Type.Optional(
          Type.Object(
            { active: Type.Boolean(), name: Type.Optional(Type.String({ description: 'Of the spell.' })) },
            { description: 'With `conditions`.' },
          ),
        ),
      }),
    }),
    reasons: ['entity_not_found', 'permission_denied'],
    example: {
      parameters: { actorUuid: 'Actor.mira', details: ['resources', 'spells'] },
      result: {
        data: {
          uuid: 'Actor.mira',
          resources: {
            primary: { value: 1, max: 1, sr: false, lr: true, label: 'Arcane Recovery' },
            secondary: { value: null, max: null, sr: false, lr: false, label: '' },
            tertiary: { value: null, max: null, sr: false, lr: false, label: '' },
          },
          spells: [
            {
              _id: 'fire-bolt',
              name: 'Fire Bolt',
              type: 'spell',
              img: 'icons/fire-bolt.svg',
              system: { level: 0, school: 'evo' },
              effects: [],
              folder: null,
              sort: 0,
              ownership: { default: 0 },
              flags: {},
              _stats: {},
            },
          ],
        },
      },
    },
  }),
  'modify-experience': command({
    summary: 'Add or take away experience points',
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: {
      actorUuid: Type.Optional(actorUuid),
      selected: Type.Optional(selected),
      amount: Type.Number({ description: 'Points to add; negative to take away.' }),
    },
    identifiedBy: [['actorUuid', 'selected']],
    result: Type.Object({
      data: Type.Object({ actorUuid: Type.String(), oldXp: Type.Number(), newXp: Type.Number() }),
    }),
    reasons: ['entity_not_found', 'permission_denied', ...selectedReasons, 'not_a_character'],
    example: {
      parameters: { actorUuid: 'Actor.mira', amount: 250 },
      result: { data: { actorUuid: 'Actor.mira', oldXp: 6500, newXp: 6750 } },
    },
  }),
} as const satisfies OperationDefinitions;
