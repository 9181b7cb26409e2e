import { operations, wireNameOf } from '@tabletop-relay/contract';
import type { Operation, OperationName } from '@tabletop-relay/contract';
import * as fc from 'fast-check';
import { isSlow } from '../src/world/operations/slow.ts';
import type { WorldAction } from '../src/world/actions.ts';
import { initialState } from '../src/world/content/initial-state.ts';

interface Call {
  operation: Operation;
  parameters: unknown;
  userId?: string | undefined;
}

const { actors, scenes, users, encounters } = initialState;
const tokens = scenes.flatMap((scene) => scene.tokens);

const coins = fc.dictionary(fc.constantFrom('gp', 'sp', 'cp'), fc.integer({ min: 1, max: 9 }), {
  minKeys: 1,
});

const party = actors.slice(0, 4).map(({ uuid }) => uuid);
const actorUuids = fc.constantFrom(...party, ...party, ...actors.map(({ uuid }) => uuid), 'Actor.nobody');

/** Values that mean something in the world, and some that don't, by the parameter's name on the wire. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  uuids: fc.subarray([...tokens.map(({ uuid }) => uuid), 'Nobody']),
  tokenUuids: fc.subarray(tokens.map(({ uuid }) => uuid)),
  details: fc.subarray(['resources', 'items', 'spells', 'features', 'stats', 'abilities', 'skills', 'details', 'conditions']),
  skill: fc.constantFrom('prc', 'ste', 'itm', 'xyz'),
  ability: fc.constantFrom('str', 'dex', 'con', 'wis', 'luck'),
  encounterId: fc.constantFrom(...encounters.map(({ id }) => id), 'none'),
  bonus: fc.constantFrom('1d4', '-2', '3d6dl1+2', 'junk', ''),
  amount: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -10, max: 10 }) }, fc.double()),
  damage: fc.oneof(fc.nat(60), fc.double()),
  currency: fc.oneof({ weight: 4, arbitrary: coins }, fc.dictionary(fc.string(), fc.double())),
  uuid: fc.constantFrom('Actor.mira', 'Actor.ghoul', 'Item.silver-key', 'JournalEntry.rumours', 'User.ada', 'Scene.crypt', 'Combat.ambush', 'Actor.mira.Item.dagger', 'Compendium.dnd5e.items.Item.dagger', 'Folder.handouts', 'Macro.toll', ...tokens.map(({ uuid }) => uuid), 'Nobody', 'Macro.x.y'),
  entityType: fc.constantFrom('Actor', 'Item', 'Scene', 'JournalEntry', 'User', 'Macro', 'Folder', 'Combat', 'ChatMessage', 'Token', 'Nothing'),
  attribute: fc.constantFrom('system.attributes.hp.value', 'system.currency.gp', 'role', 'x', 'system.quantity', 'name', '__proto__.x'),
  formula: fc.constantFrom('1d20 + 5', '4d6dl1', '{1d6,1d8}kh', '2d20kh + floor(1d4/2)', '999d999', 'junk', '1d6!', '1/0'),
  statusId: fc.constantFrom('prone', 'unconscious', 'poisoned', 'bored', 'dead'),
  effectId: fc.constantFrom('prone', 'unconscious', 'none'),
  effectData: fc.constantFrom({ name: 'Blessed' }, { statuses: ['x'], changes: 3 }),
  character: actorUuids,
  id: fc.constantFrom('ben', 'ada', 'nobody'),
  role: fc.integer({ min: 0, max: 4 }),
  password: fc.constant('secret'),
  whisper: fc.subarray(['ben', 'Cleo', 'nobody'], { maxLength: 1 }),
  speaker: fc.oneof(actorUuids, fc.constantFrom(...tokens.map(({ uuid }) => uuid))),
  content: fc.constantFrom('<p>Hello</p>', 'x'),
  messageId: fc.constantFrom('ambush-begins', 'none'),
  chatType: fc.constantFrom(1, 'ic', 'roll', 'nonsense'),
  limit: fc.integer({ min: 1, max: 20 }),
  offset: fc.nat(3),
  query: fc.constantFrom('', 'dagger', 'a'),
  filter: fc.constantFrom('Actor', 'documentType:Item,name:Dagger', { name: 'Dagger' }, '::,'),
  path: fc.constantFrom('Folder.handouts', 'Compendium.dnd5e.items', 'Nobody', 'handouts', 'handouts/bell.svg', '../x', ''),
  filename: fc.constantFrom('bell.svg', 'crypt', 'note.txt', '__proto__', 'a/b'),
  source: fc.constantFrom('data', 's3'),
  fileData: fc.constantFrom('data:text/plain;base64,QQ==', 'data:;base64,', 'data:x;base64,!', 'http://x'),
  binaryData: fc.array(fc.nat(255), { maxLength: 3 }),
  mimeType: fc.constantFrom('text/plain', 'x'),
  types: fc.subarray(['Actor', 'Item', 'JournalEntry', 'x']),
  type: fc.constantFrom('Actor', 'JournalEntry'),
  recursiveDepth: fc.integer({ min: 1, max: 5 }),
  folderId: fc.constantFrom('handouts', 'new', '!'),
  parentFolderId: fc.constantFrom('handouts', 'none'),
  folderType: fc.constantFrom('JournalEntry', 'Actor', 'User'),
  ownedByUserId: fc.constantFrom('ben', 'nobody'),
  quantity: fc.integer({ min: 1, max: 3 }),
  fromUuid: actorUuids,
  toUuid: actorUuids,
  autoHDThreshold: fc.double({ min: -0.5, max: 1.5 }),
  data: fc.dictionary(fc.constantFrom('hidden', 'actor.type', 'x', '__proto__.x', 'name', 'type', 'role', 'system.attributes.hp.max', 'items', '_id', 'ownership'), fc.jsonValue()),
}; // prettier-ignore

const actorNames = fc.constantFrom(...actors.map(({ name }) => name), 'Nobody');
const items = actors.flatMap((actor) => actor.items);

function valuesFor(name: string): fc.Arbitrary<unknown> {
  const known = values[name];
  if (known) return known;
  if (/^(actor|sourceActor|targetActor|target)Uuid$/.test(name)) return actorUuids;
  if (/^(actor|sourceActor|targetActor|target)Name$/.test(name)) return actorNames;
  if (name.endsWith('Uuid')) return fc.constantFrom(...items.map(({ uuid }) => uuid));
  if (name.endsWith('Name')) return fc.constantFrom(...items.map((item) => item.name));
  return name === 'name' ? actorNames : fc.boolean();
}

function parametersOf({ parameters, identifiedBy = [] }: Operation): fc.Arbitrary<unknown> {
  const names = Object.entries(parameters).map(([name, schema]) => wireNameOf(name, schema));
  const optional = new Set([
    ...identifiedBy.flat(),
    ...Object.entries(parameters).flatMap(([name, schema]) =>
      '~optional' in schema ? [wireNameOf(name, schema)] : [],
    ),
  ]);
  const requiredKeys = names.filter((name) => !optional.has(name));
  const model = Object.fromEntries(names.map((name) => [name, valuesFor(name)]));
  return fc.record({ given: fc.record(model, { requiredKeys }), pick: fc.option(fc.nat()) }).map(withOwnItem);
}

/** Most of the time the item that is meant is one of the actor's own. */
function withOwnItem({ given, pick }: { given: Record<string, unknown>; pick: number | null }): unknown {
  const actor = actors.find(({ uuid }) => uuid === given['actorUuid']);
  const named = ['abilityName', 'itemName'].find((name) => name in given);
  if (!actor || !named || pick === null) return given;
  const { abilityUuid: _ability, itemUuid: _item, ...others } = given;
  return { ...others, [named]: actor.items[pick % actor.items.length]?.name };
}

/** Operations that take one step: those that wait have tests of their own. */
const quick = operations.filter(({ name }) => !isSlow(name as OperationName));

/** Any such operation, mostly with parameters that make sense, now and then with any value at all. */
export function anyCall(): fc.Arbitrary<Call> {
  return fc.constantFrom(...quick).chain((operation) =>
    fc.record(
      {
        operation: fc.constant(operation),
        parameters: fc.oneof(
          { weight: 9, arbitrary: parametersOf(operation) },
          { weight: 1, arbitrary: fc.anything() },
        ),
        userId: fc.option(fc.constantFrom(...users.map(({ id }) => id), 'nobody'), {
          freq: 1,
          nil: undefined,
        }),
      },
      { requiredKeys: ['operation', 'parameters'] },
    ),
  );
}

/** Anything that a page may send, on things of the world and on others. */
export function anyAction(): fc.Arbitrary<WorldAction> {
  const tokenUuid = fc.constantFrom(...tokens.map(({ uuid }) => uuid), 'Nobody');
  const combatantIds = encounters.flatMap(({ combatants }) => combatants.map(({ id }) => id));
  const combatantId = fc.constantFrom(...combatantIds, 'nobody');
  const amount = fc.integer({ min: -1000, max: 1000 });
  const place = fc.integer({ min: -2, max: 30 });
  return fc.oneof(
    anyCall().map(({ operation, parameters }): WorldAction => ({
      kind: 'operation',
      name: operation.name,
      parameters: parameters as Record<string, unknown>,
    })),
    fc.record({ kind: fc.constant('move-token' as const), tokenUuid, x: place, y: place }),
    fc.record({ kind: fc.constant('hide-token' as const), tokenUuid, hidden: fc.boolean() }),
    fc.record({ kind: fc.constant('select' as const), tokenUuids: fc.array(tokenUuid) }),
    fc.record({ kind: fc.constant('roll' as const), formula: fc.string(), actorUuid: actorUuids }),
    fc.record({ kind: fc.constant('damage' as const), actorUuid: actorUuids, amount }),
    fc.record({ kind: fc.constant('roll-initiative' as const), combatantId }),
    fc.record({ kind: fc.constant('set-defeated' as const), combatantId, defeated: fc.boolean() }),
    fc.record({
      kind: fc.constant('activate-scene' as const),
      sceneId: fc.constantFrom('crypt', 'chapel', 'x'),
    }),
    fc.record({ kind: fc.constant('say' as const), text: fc.string() }),
  );
}
