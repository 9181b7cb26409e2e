import { callFormOf, operationRequest, remoteScopeNames } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { createRandom } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { send } from '../../problem.ts';
import { connectAsking } from '../../remote/asking-module.ts';
import type { AskingModule } from '../../remote/asking-module.ts';
import type { Tally } from '../tally.ts';
import { listNames, mayIgnore } from './list.ts';
import type { NamePlace, NameTry } from './list.ts';

export interface NamesOptions {
  url: string;
  tally: Tally;
  seed: number;
  /** So many of the table, by chance; all of it where it is not given. */
  tries?: number;
  inFlight?: number;
}

/** What a call came to: refused before anything left, or the command that the world was sent. */
type Outcome = { status: number; command?: string };

/** What a command carries when nothing stands for something: text that is no number and no list, and false as a flag. */
const value = 'false';

/**
 * Calls every operation with names that narrow a call and that it does not take, in all spellings and places. Each is refused, or
 * counts: the command is another than without it. No command is ever the one that would have gone without the name.
 */
export async function runNames({ url, tally, seed, tries, inFlight = 16 }: NamesOptions): Promise<void> {
  const random = createRandom(seed);
  const all = listNames();
  const chosen = tries === undefined ? all : Array.from({ length: tries }, () => random.pick(all));
  const world = await openWorld(url);
  const plain = new Map<string, string | undefined>();
  for (const operation of new Set(chosen.map((one) => one.operation)))
    plain.set(operation.name, (await world.call(operation, 'query')).command);
  const queue = chosen.values();
  async function work(): Promise<void> {
    for (const one of queue) {
      const { operation, place, name } = one;
      const { status, command } = await world.call(operation, place, name);
      tally.answered(status);
      const without = plain.get(operation.name);
      const fault = faultOf(one, { status, ...(command === undefined ? {} : { command }) }, without);
      if (fault) tally.found('wrong input', `${operation.name}: ${fault}`, `${place} ${name} -> ${status}`);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  await world.close();
}

function faultOf(
  one: NameTry,
  { status, command }: Outcome,
  without: string | undefined,
): string | undefined {
  if (without === undefined) return 'the call without a name was not made';
  if (mayIgnore(one))
    return command === without ? undefined : 'a name that stands for nothing changed the call';
  if (status === 400 && command === undefined) return undefined;
  if (command === undefined) return `was answered ${status} and not made`;
  return command === without ? 'a name that narrows was left out in silence' : undefined;
}

/** A world that refuses everything, and tells what it was asked. */
async function openWorld(url: string) {
  const account = await createAccount(url);
  const key = await account.createKey();
  const pairing = await account.pair({ systemId: 'sys5e' });
  const commands = new Map<string, string>();
  // A form has another file than the example.
  const module = await connectModule(url, pairing, (command) => {
    const { type: _type, requestId, _scopes: _caller, fileData: _file, ...fields } = command;
    commands.set(
      String(requestId),
      JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    );
    return { error: String(requestId) };
  });
  const asking = await connectAsking(account, url, {
    allowedTargetClients: [pairing.clientId],
    remoteScopes: [...remoteScopeNames],
  });
  const { clientId } = pairing;

  async function call(operation: Operation, place: NamePlace, name?: string): Promise<Outcome> {
    const { status, told } =
      place === 'payload'
        ? await askAsModule(asking, { clientId, operation, name })
        : await askAsProgram({ url, clientId, key, operation, place, name });
    const command = commands.get(told);
    commands.delete(told);
    return command === undefined ? { status } : { status, command };
  }
  return { call, close: () => Promise.all([module.close(), asking.module.close()]) };
}

interface Asked {
  clientId: string;
  operation: Operation;
  name: string | undefined;
}

/** The status that HTTP would have, and the id of the command as the world told it. */
async function askAsModule(asking: AskingModule, { clientId, operation, name }: Asked) {
  const payload = { ...operation.example.parameters, ...(name === undefined ? {} : { [name]: value }) };
  const answer = await asking.ask({ targetClientId: clientId, action: operation.name, payload });
  const status = answer['code'] === 'invalid_request' ? 400 : 422;
  return { status, told: String(answer['error']) };
}

interface AskedByProgram extends Asked {
  url: string;
  key: string;
  place: NamePlace;
}

async function askAsProgram({ url, clientId, key, operation, place, name }: AskedByProgram) {
  const { parameters } = operation.example;
  const { method, path, body } = operationRequest({ form: callFormOf(operation), parameters, clientId });
  const address = new URL(url + path);
  const more = name === undefined ? {} : { [name]: value };
  const headers = { 'x-api-key': key };
  if (place === 'form') {
    const { fileData: _file, ...fields } = parameters as Record<string, string>;
    const form = new FormData();
    for (const [each, text] of Object.entries({ ...fields, ...more })) form.set(each, text);
    form.set('file', new Blob(['x'], { type: fields['mimeType'] ?? '' }), fields['filename']);
    const response = await fetch(`${url}${operation.path}?clientId=${clientId}`, {
      method,
      headers,
      body: form,
    });
    return toldIn(response.status, (await response.json()) as object);
  }
  if (place === 'query')
    for (const [each, text] of Object.entries(more)) address.searchParams.set(each, text);
  const whole = place === 'body' ? { ...body, ...more } : body;
  const text = whole && Object.keys(whole).length > 0 ? JSON.stringify(whole) : undefined;
  const answer = await send(method, address.href, {
    headers: { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(text === undefined ? {} : { body: text }),
  });
  return toldIn(answer.status, answer.body);
}

const toldIn = (status: number, body: object) => ({
  status,
  told: 'detail' in body ? String(body.detail) : '',
});
