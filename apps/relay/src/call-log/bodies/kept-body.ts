import { storable } from '@tabletop-relay/database';
import { wireNameOf } from '@tabletop-relay/contract';
import type { Operation, ParameterOptions, Scope, Unlogged } from '@tabletop-relay/contract';
import type { KeptBody } from '../call-row.ts';
import { answersSecret, isOfSecretKind, refusesSecret } from './secret-calls.ts';
import { withoutSecrets } from './secret-fields.ts';

/** So much of a request and of an answer is kept. */
const keptBytes = 65_536;

/** A larger answer is not looked through: that would hold up other calls. */
const parsedBytes = 262_144;

const cut = 'cut at 64 KiB';

/** So many secrets are named that were left out. */
const mostNamed = 10;

interface Kept {
  text: string;
  lacks: string;
}

/** Kept body of a call that a world answered. */
export function keepAnswered(operation: Operation, wire: object | undefined, answer: Buffer): KeptBody {
  const why = whyNothing(operation, wire, answersSecret);
  const kept = why ? nothing(words[why]) : withoutUnlogged(operation, answer);
  return { ...keepRequest(operation, wire), answer: kept.text, answerLacks: kept.lacks };
}

/** Kept body of a failed call. `wire` is undefined if its parameters could not be read. */
export function keepFailed(
  operation: Operation,
  wire: object | undefined,
  problem: { code: string },
): KeptBody {
  const isInWordsOfWorld = problem.code === 'operation_failed';
  const why = isInWordsOfWorld ? whyNothing(operation, wire, refusesSecret) : undefined;
  const kept = why ? nothing(words[why]) : readable(problem, []);
  return { ...keepRequest(operation, wire), answer: kept.text, answerLacks: kept.lacks };
}

/** The parameters by the names that callers use, without what may not be kept. */
function keepRequest(
  operation: Operation,
  wire: object | undefined,
): Pick<KeptBody, 'request' | 'requestLacks'> {
  if (!wire) return { request: '', requestLacks: 'not readable' };
  const { names, unlogged } = parametersOf(operation);
  const ofDocuments = writesScript(operation, wire) ? 'script' : isOfSecretKind(wire) ? 'secret' : undefined;
  const lacks: string[] = [];
  const shown = Object.entries(wire).flatMap(([wireName, value]) => {
    const name = names.get(wireName) ?? wireName;
    const isDocument = typeof value === 'object' && value !== null;
    const why = unlogged.get(name) ?? (isDocument ? ofDocuments : undefined);
    if (why) lacks.push(`${name} (${words[why]})`);
    return why ? [] : [[name, value] as const];
  });
  const { text, lacks: requestLacks } = readable(Object.fromEntries(shown), lacks);
  return { request: text, requestLacks };
}

/** Why nothing of what the world says to a call is kept. */
function whyNothing(
  operation: Operation,
  wire: object | undefined,
  saysSecret: typeof answersSecret,
): Unlogged | undefined {
  if (saysSecret(operation, wire)) return 'secret';
  return writesScript(operation, wire) ? 'script' : undefined;
}

/** A call that needs one of them besides its own brings a script in the document that it writes. */
const scriptScopes: readonly Scope[] = ['macro:write', 'script:execute'];

function writesScript(operation: Operation, wire: object | undefined): boolean {
  const scopes = wire && operation.scopesFor?.({ ...wire });
  return scopes?.some((scope) => scriptScopes.includes(scope)) ?? false;
}

const words: Record<Unlogged, string> = { secret: 'a secret', script: 'a script', file: 'a file' };

interface Parameters {
  /** Callers' names by those on the wire. */
  names: ReadonlyMap<string, string>;
  unlogged: ReadonlyMap<string, Unlogged>;
}

const known = new WeakMap<Operation, Parameters>();

function parametersOf(operation: Operation): Parameters {
  const found = known.get(operation);
  if (found) return found;
  const entries = Object.entries(operation.parameters);
  const marked = entries.flatMap(([name, schema]) => {
    const { unlogged } = schema as ParameterOptions;
    return unlogged ? [[name, unlogged] as const] : [];
  });
  const file = operation.bodyBytes?.parameter;
  const parameters = {
    names: new Map(entries.map(([name, schema]) => [wireNameOf(name, schema), name])),
    unlogged: new Map([...marked, ...(file ? [[file, 'file'] as const] : [])]),
  };
  known.set(operation, parameters);
  return parameters;
}

/** The answer without the fields that may not be kept. What cannot be looked through is left out whole. */
function withoutUnlogged(operation: Operation, answer: Buffer): Kept {
  if (answer.length > parsedBytes) return nothing('it is too long to be looked through for secrets');
  try {
    const result = JSON.parse(answer.toString()) as object;
    const lacks = unloggedResults(operation).filter((path) => removeField(result, path.split('.')));
    return readable(result, lacks);
  } catch {
    return nothing('it is not readable');
  }
}

function unloggedResults({ resultBytes, unloggedResult = [] }: Operation): string[] {
  return [...(resultBytes ? [resultBytes.field] : []), ...unloggedResult];
}

/** Removes the field at a path, in each element of lists on the way. False if there is none. */
function removeField(value: unknown, [name = '', ...rest]: string[]): boolean {
  if (Array.isArray(value)) return value.map((one) => removeField(one, [name, ...rest])).some(Boolean);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  const fields = value as Record<string, unknown>;
  if (rest.length > 0) return removeField(fields[name], rest);
  delete fields[name];
  return true;
}

/** As JSON without secrets, and cut where it is long. */
function readable(value: object, lacks: readonly string[]): Kept {
  const { text: whole, leftOut } = withoutSecrets(value);
  const bytes = Buffer.from(whole);
  const text = storable(bytes.subarray(0, keptBytes).toString(), keptBytes);
  const secrets = leftOut.slice(0, mostNamed).map((name) => `${storable(name)} (${words.secret})`);
  const more = leftOut.length > mostNamed ? [`${leftOut.length - mostNamed} more secrets`] : [];
  const isCut = bytes.length > keptBytes;
  return { text, lacks: [...lacks, ...secrets, ...more, ...(isCut ? [cut] : [])].join(', ') };
}

const nothing = (why: string): Kept => ({ text: '', lacks: `all of it (${why})` });
