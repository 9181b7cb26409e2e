import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { startFoundryWorld } from '@tabletop-relay/testing';
import type { FoundryPair, FoundryTab, FoundryWorld } from '@tabletop-relay/testing';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pairDemoWorld, startDashboard } from '../../../dashboard/test/dashboard.ts';
import type { Person, TestDashboard } from '../../../dashboard/test/dashboard.ts';
import { moduleFacts } from '../../../../packages/contract/test/module-facts/index.ts';
import { install, pair } from '../pairing.ts';
import { allowAll, answerQuestion } from '../trust/trusting.ts';
import { files, running, texts } from './attacks.ts';
import { evening } from './calls.ts';
import type { Kept, Places, Step } from './calls.ts';
import { guest, testEvents } from './event-promises.ts';
import type { Listened } from './event-promises.ts';
import { compareWithFacts, named } from './compare.ts';
import { differences, notAsFacts } from './differences.ts';
import { testRoles } from './role-promises.ts';
import { demoPlaces, foundryKept, foundryPlaces } from './worlds.ts';

const known = new Map<string, Operation>(operations.map((operation) => [operation.name, operation]));

/** What a call came to: the fields that the contract names, or the code of a refusal. */
interface Told {
  status: number;
  fields: string[];
  body: Record<string, unknown>;
}

type Ask = (step: Step, at: Places, kept: Kept) => Promise<Told>;

/** The same calls give the same shapes from the demo world and from the module in each of these tabletops, through one relay. */
export function testConformance(pairs: readonly FoundryPair[]): void {
  let dashboard: TestDashboard;
  let person: Person;
  let masterKey: string;
  let demo: TabletopModule;
  let demoTold: Told[];

  beforeAll(async () => {
    dashboard = await startDashboard();
    person = await dashboard.newPerson();
    masterKey = await person.register();
    demo = await pairDemoWorld(person, dashboard.url);
    const { status } = demo;
    if (status.state !== 'connected') throw new Error(`The demo world is ${status.state}`);
    demoTold = await play(askerOf(dashboard.url, masterKey, status.clientId), demoPlaces);
  });
  afterAll(async () => {
    demo.close();
    await dashboard.stop();
  });

  test('the calls try every operation of the contract', () => {
    const tried = new Set(evening.map(({ operation }) => operation));
    expect(operations.map(({ name }) => name).filter((name) => !tried.has(name as never))).toEqual([]);
    for (const [name, reason] of Object.entries(differences)) expect(reason, name).toMatch(/\w+ \w+ \w+/);
    expect(Object.keys(differences).length).toBeLessThanOrEqual(10);
  });

  describe.each(pairs)('in Foundry $core with dnd5e $dnd5e', (pairOf) => {
    let world: FoundryWorld;
    let tab: FoundryTab;
    let told: Told[];
    let listened: Listened;
    let initial: object;

    beforeAll(async () => {
      const modules = [await install(`${dashboard.url}/module/module.json`), guest];
      world = await startFoundryWorld({
        ...pairOf,
        modules,
        worlds: [{ id: `w-${pairOf.core}-${pairOf.dnd5e}`, title: 'Night' }],
      });
      tab = await world.join(person.page.context(), 'Ada');
      await pair(tab);
      const clientId = await tab.page.evaluate<string>(`game.settings.get('tabletop-relay', 'clientId')`);
      listened = { url: dashboard.url, masterKey, clientId, tab };
      // Who asks is known by a first call: what the calls run is approved for that program.
      const first = askerOf(dashboard.url, masterKey, clientId);
      await first({ operation: 'players', parameters: () => ({}) }, foundryPlaces, {});
      const macro = await tab.page.evaluate<string>(`game.macros.get('maHello000000000').command`);
      await allowAll(tab.page, [macro, 'return 6 * 7', 'throw new Error("no")']);
      // Down, so that death saves can be tried; and what the demo world has of a file.
      await tab.page.evaluate(
        `game.actors.get('acTovin000000000').update({ 'system.attributes.hp.value': 0 })`,
      );
      initial = structuredClone(world.world().documents);
      // Behind another tab for long: nothing that answers may wait for a timer or a frame.
      await tab.hide({ minutes: 5 });
      told = await play(askerOf(dashboard.url, masterKey, clientId), foundryPlaces);
      await tab.show();
    });
    afterAll(async () => {
      await tab.page.close();
      await world.close();
    });

    test('each call gives what the demo world gives, but for a list', () => {
      const found = evening.flatMap((step, index) => {
        const [ours, theirs] = [told[index]!, demoTold[index]!];
        if (differences[step.operation] !== undefined) return [];
        const one = outcomeOf(ours);
        const other = outcomeOf(theirs);
        return JSON.stringify(one) === JSON.stringify(other)
          ? []
          : [
              {
                call: `${index} ${step.operation}`,
                ours: one,
                demo: other,
                body: JSON.stringify(ours.body).slice(0, 300),
              },
            ];
      });
      expect(found).toEqual([]);
    });

    test('each answer has the fields that modules in use give, but for a list', () => {
      const names = [...new Set(evening.map(({ operation }) => operation))];
      const wrong = names.flatMap((name) => {
        const answers = evening.flatMap(({ operation }, index) => {
          const { status, body } = told[index]!;
          return operation === name && status === 200 ? [body] : [];
        });
        if (answers.length === 0 || notAsFacts[name] !== undefined) return [];
        const found = compareWithFacts(known.get(name)!, answers);
        return found ? [{ name, ...found }] : [];
      });
      expect(wrong).toEqual([]);
      const listed = Object.keys(notAsFacts).length;
      expect(1 - listed / Object.keys(moduleFacts).length).toBeGreaterThanOrEqual(0.95);
    });

    testEvents(() => listened);

    test('a player changes nothing that is not theirs, whatever is asked in their name', async () => {
      const ask = askerOf(listened.url, masterKey, listened.clientId);
      const documents = () => JSON.stringify({ ...world.world().documents, messages: [] });
      const before = documents();
      const done: string[] = [];
      for (const step of evening) {
        // The one who is dying is theirs.
        if (step.as || step.operation === 'death-save') continue;
        const { status } = await ask({ ...step, as: () => 'Emil' }, foundryPlaces, foundryKept);
        if (status === 200 && known.get(step.operation)?.kind === 'command') done.push(step.operation);
      }
      expect(done).toEqual(['roll']);
      expect(documents()).toBe(before);
    });

    test.each([
      [0, 422, 422, undefined],
      [1, 200, 422, ['img', 'name', 'type', 'uuid']],
      [2, 200, 422, 'whole'],
      [3, 200, 200, 'whole'],
    ] as const)(
      'with the level %i of a document a player reads %i and writes %i',
      async (level, read, write, told) => {
        const ask = askerOf(listened.url, masterKey, listened.clientId);
        const as = () => 'Emil';
        await tab.page.evaluate(
          `game.actors.get('acGoblin00000000').update({ ownership: { default: ${level} } })`,
        );
        const uuid = foundryPlaces.monster;
        const seen = await ask({ operation: 'entity', parameters: () => ({ uuid }), as }, foundryPlaces, {});
        expect([seen.status, seen.body['reason']]).toEqual([
          read,
          read === 200 ? undefined : 'permission_denied',
        ]);
        const keys = Object.keys(seen.body['data'] ?? {}).toSorted();
        const isAsTold = told === 'whole' ? keys.includes('system') : keys.join() === (told ?? []).join();
        expect([level, keys, isAsTold]).toEqual([level, keys, true]);
        const data = { name: `Goblin ${level}` };
        const written = await ask(
          { operation: 'update', parameters: () => ({ uuid, data }), as },
          foundryPlaces,
          {},
        );
        expect(written.status).toBe(write);
        await tab.page.evaluate(`game.actors.get('acGoblin00000000').update({ ownership: { default: 0 } })`);
      },
    );

    test('texts that run code are cleaned, and files that would run are refused', async () => {
      const ask = askerOf(listened.url, masterKey, listened.clientId);
      const say = (content: string) =>
        ask({ operation: 'chat-send', parameters: () => ({ content }) }, foundryPlaces, {});
      for (const text of texts) {
        const { status, body } = await say(`<p>before</p>${text}`);
        const told = String((body['data'] as { content?: string } | undefined)?.content);
        expect([text, status, running.exec(told)?.[0]]).toEqual([text, 200, undefined]);
        expect(told).toContain('<p>before</p>');
      }
      for (const file of files) {
        const { status } = await ask({ operation: 'upload-file', parameters: () => file }, foundryPlaces, {});
        expect([file.filename, status]).not.toEqual([file.filename, 200]);
      }
      // A player's texts are cleaned, and a game master's need the scope for scripts, which this key has.
      const name = '<img src=x onerror=run()>';
      const update = (userId?: string) =>
        ask(
          {
            operation: 'update',
            parameters: (at) => ({ uuid: at.actor, data: { 'system.details.biography.value': name } }),
            ...(userId !== undefined && { as: () => userId }),
          },
          foundryPlaces,
          {},
        );
      const biography = async () => {
        const actor = await tab.page.evaluate<string>(
          `game.actors.get('acAkra0000000000').system.details.biography.value`,
        );
        return actor;
      };
      expect((await update(foundryPlaces.player)).status).toBe(200);
      expect(await biography()).toBe('<img src="x">');
      // What runs code is shown to a person first, whatever else is allowed.
      const updated = update();
      await answerQuestion(tab, 'once');
      expect((await updated).status).toBe(200);
      expect(await biography()).toBe(name);
    });

    test('it uses nothing that the tabletop lacks or will take away', async () => {
      const { unknown, deprecated, errors } = await tab.records();
      expect({ unknown: [...new Set(unknown)], deprecated, errors }).toEqual({
        unknown: [],
        deprecated: [],
        errors: [],
      });
    });

    // How the tabletop judges levels and roles is one in all versions: once, where there is time.
    if (pairOf.core === 14 && pairOf.dnd5e === '5.3')
      testRoles(() => ({
        tab,
        world,
        initial,
        ask: (step, kept, user) =>
          askerOf(listened.url, masterKey, listened.clientId)(
            { ...step, as: () => user },
            foundryPlaces,
            kept,
          ),
      }));
  });
}

const outcomeOf = ({ status, fields, body }: Told) =>
  status === 200 ? { status, fields } : { status, reason: body['reason'] ?? body['code'] };

async function play(ask: Ask, at: Places): Promise<Told[]> {
  const kept: Kept = {};
  const told: Told[] = [];
  for (const step of evening) {
    const answer = await ask(step, at, kept);
    if (step.keep !== undefined) kept[step.keep] = answer.body;
    told.push(answer);
  }
  return told;
}

function askerOf(url: string, masterKey: string, clientId: string): Ask {
  return async ({ operation: name, parameters, as }, at, kept) => {
    const operation = known.get(name)!;
    let given: Record<string, unknown>;
    try {
      given = { ...parameters(at, kept), clientId, ...(as && { userId: as(at) }) };
    } catch (error) {
      return { status: 0, fields: [], body: { reason: `no earlier answer: ${String(error)}` } };
    }
    const path = operation.path.replaceAll(/:(\w+)/g, (_, part: string) => {
      const value = given[part];
      delete given[part];
      return encodeURIComponent(String(value));
    });
    const isInBody = !['GET', 'DELETE'].includes(operation.method);
    const query = new URLSearchParams(
      Object.entries(given).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(',') : String(value),
      ]),
    );
    const response = await fetch(isInBody ? `${url}${path}?clientId=${clientId}` : `${url}${path}?${query}`, {
      method: operation.method,
      headers: {
        'x-api-key': masterKey,
        accept: 'application/json',
        ...(isInBody && { 'content-type': 'application/json' }),
      },
      ...(isInBody && { body: JSON.stringify(given) }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (response.status === 200 && !Value.Check(operation.result, body))
      throw new Error(`${name} answered what the contract does not have: ${JSON.stringify(body)}`);
    return { status: response.status, fields: named(operation, body), body };
  };
}
