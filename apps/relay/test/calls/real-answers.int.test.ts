import { callFormOf, operationGroups, operationRequest, operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moduleFacts } from '../../../../packages/contract/test/module-facts/index.ts';
import { answersOf, brokenAnswersOf } from '../../../../packages/contract/test/module-facts/module-fact.ts';
import type { ModuleFact } from '../../../../packages/contract/test/module-facts/module-fact.ts';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { readOpenApi } from '../http/open-api.ts';
import type { Described } from '../http/open-api.ts';

/** What today's module says to one call: a result, or a refusal. */
interface Said {
  operation: Operation;
  what: string;
  answer: Record<string, unknown>;
}

const refusalWords = 'Actor not found';

/** What it says to each operation that it knows. */
const eachSays = (frames: (fact: ModuleFact) => Omit<Said, 'operation'>[]): Said[] =>
  operations.flatMap((operation) => {
    const fact = moduleFacts[operation.name];
    return fact ? frames(fact).map((frame) => ({ operation, ...frame })) : [];
  });

const results = eachSays(answersOf);
const broken = eachSays(brokenAnswersOf);
const refusals = eachSays(({ refusal }) => [
  { what: 'refused', answer: { error: refusalWords, ...refusal } },
]);
const said = [...results, ...broken, ...refusals];

let two: TwoInstances;
let pairing: Pairing;
let key: string;
let module: FakeModule;
let documents: Map<string, Described>;

beforeAll(async () => {
  // As slow as a shared machine may be when many are asked at once.
  two = await startTwo('redis', { config: { callTimeoutMs: 60_000 } });
  const account = await createAccount(two.first.url);
  key = await account.createKey();
  pairing = await account.pair();
  // Every operation knows `userId` and sends it on, so it can say what the module is to answer.
  const answer = ({ userId }: WireFrame) => said[Number(userId)]?.answer;
  module = await connectModule(two.first.url, pairing, answer);
  const { paths } = await readOpenApi(two.first.url);
  const entries = Object.values(paths).flatMap((methods) => Object.values(methods));
  documents = new Map(entries.map((entry) => [entry.operationId, entry]));
});
afterAll(async () => {
  await module.close();
  await two.stop();
});

async function ask(url: string, one: Said, accept: string): Promise<Response> {
  const { operation } = one;
  const { method, path, body } = operationRequest({
    form: callFormOf(operation),
    parameters: operation.example.parameters,
    clientId: pairing.clientId,
    userId: String(said.indexOf(one)),
  });
  return await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, accept, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

const atOnce = 25;

interface Answered {
  said: string;
  status: number;
  body: Record<string, unknown>;
}

/** As JSON, many at once: fewer than an address may have connections. */
async function askAll(url: string, list: readonly Said[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (let from = 0; from < list.length; from += atOnce) {
    const some = list.slice(from, from + atOnce).map(async (one) => {
      const response = await ask(url, one, 'application/json');
      const body = (await response.json()) as Answered['body'];
      return { said: nameOf(one), status: response.status, body };
    });
    answered.push(...(await Promise.all(some)));
  }
  return answered;
}

const nameOf = ({ operation, what }: Said) => `${operation.name}: ${what}`;

/** What the caller gets: what the module said, and the version that it did not give by its name here. */
const passedOn = (one: Said): Answered => {
  const frame = JSON.parse(JSON.stringify(one.answer)) as Answered['body'];
  if (one.operation.name === 'world-info' && frame['data'])
    Object.assign(frame['data'], { tabletopVersion: '' });
  const type = `${one.operation.name}-result`;
  return {
    said: nameOf(one),
    status: 200,
    body: { type, requestId: expect.stringContaining(`${one.operation.name}_`) as unknown, ...frame },
  };
};

const groups = Object.keys(operationGroups);
const inGroup = (list: readonly Said[], group: string) =>
  list.filter(({ operation }) => operation.group === group);

describe.each([
  ['of its instance', () => two.first.url],
  ['of another instance', () => two.second.url],
])('today’s module answers a caller %s', (_where, urlOf) => {
  it.each(groups)('whatever real worlds leave out, as the documents of %s say', async (group) => {
    const asked = inGroup(results, group);
    const answered = await askAll(urlOf(), asked);
    expect(answered).toEqual(asked.map(passedOn));
    const ajv = new Ajv({ strict: false });
    const checks = new Map(
      [...new Set(asked.map(({ operation }) => operation.name))].map((name) => {
        const { schema } = documents.get(name)!.responses['200']!.content['application/json']!;
        return [name, ajv.compile(schema)];
      }),
    );
    const faults = answered.flatMap(({ said: what, body }, index) => {
      const check = checks.get(asked[index]!.operation.name)!;
      return check(body) ? [] : [what, ajv.errorsText(check.errors)];
    });
    expect(faults).toEqual([]);
  });

  it.each(groups)(
    'without a field that every world gives, and the rest passes as it came: %s',
    async (group) => {
      const asked = inGroup(broken, group);
      expect(await askAll(urlOf(), asked)).toEqual(asked.map(passedOn));
    },
  );

  it('with a refusal, and the caller gets its words and their reason, whatever stands beside them', async () => {
    const answered = await askAll(urlOf(), refusals);
    expect(answered).toEqual(
      refusals.map((one) => ({
        said: nameOf(one),
        status: 422,
        body: expect.objectContaining({
          code: 'operation_failed',
          reason: 'entity_not_found',
          detail: refusalWords,
          retryable: false,
        }) as unknown,
      })),
    );
  });

  it('with a file, and the caller gets its bytes, or is told that there are none', async () => {
    const carriesFile = ({ operation }: Said) => operation.resultBytes !== undefined;
    const files = [...results, ...broken].filter(carriesFile);
    const rows = await Promise.all(
      files.map(async (one) => {
        const response = await ask(urlOf(), one, 'image/*, */*');
        const problem = response.ok ? undefined : ((await response.json()) as { code: string });
        const bytes = response.ok ? (await response.arrayBuffer()).byteLength : 0;
        return { said: nameOf(one), hasBytes: bytes > 0, code: problem?.code };
      }),
    );
    const without = rows.filter(({ hasBytes }) => !hasBytes);
    expect(without.map(({ said: what, code }) => [what, code])).toEqual([
      ['scene-raw-image: data.imageData absent', 'operation_failed'],
      ['scene-raw-image: with the least', 'operation_failed'],
      ['download-file: without fileData', 'client_bad_reply'],
      ['sheet-screenshot: without imageData', 'client_bad_reply'],
      ['scene-screenshot: without imageData', 'client_bad_reply'],
      ['scene-raw-image: without data', 'operation_failed'],
    ]);
  });
});
