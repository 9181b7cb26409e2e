import { storable } from '@tabletop-relay/database';
import { wireNameOf } from '@tabletop-relay/contract';
import type { Operation, ParameterOptions, Scope, Unlogged } from '@tabletop-relay/contract';
import type { KeptBody } from '../call-row.ts';

/** So much of a request and of an answer is kept. */
const keptBytes = 65_536;

/** A larger answer is not parsed to take something out of it: that would hold up other calls. */
const parsedBytes = 262_144;

const cut = 'cut at 64 KiB';

/** What is kept of a call that a world answered. */
export function keepAnswered(operation: Operation, wire: object | undefined, answer: Buffer): KeptBody {
  const isScript = writesScript(operation, wire);
  const kept = isScript ? { text: '', lacks: 'all of it (a script)' } : withoutUnlogged(operation, answer);
  return { ...keepRequest(operation, wire, isScript), answer: kept.text, answerLacks: kept.lacks };
}

/** What is kept of a call that failed. `wire` is undefined where its parameters were not readable. */
export function keepFailed(operation: Operation, wire: object | undefined, problem: object): KeptBody {
  const kept = bounded(JSON.stringify(problem), []);
  return {
    ...keepRequest(operation, wire, writesScript(operation, wire)),
    answer: kept.text,
    answerLacks: kept.lacks,
  };
}

/** The parameters by the names that callers use, without what may not be kept. */
function keepRequest(
  operation: Operation,
  wire: object | undefined,
  isScript: boolean,
): Pick<KeptBody, 'request' | 'requestLacks'> {
  if (!wire) return { request: '', requestLacks: 'not readable' };
  const { names, unlogged } = parametersOf(operation);
  const lacks: string[] = [];
  const shown = Object.entries(wire).flatMap(([wireName, value]) => {
    const name = names.get(wireName) ?? wireName;
    const isDocument = typeof value === 'object' && value !== null;
    const why = unlogged.get(name) ?? (isScript && isDocument ? 'script' : undefined);
    if (why) lacks.push(`${name} (${words[why]})`);
    return why ? [] : [[name, value] as const];
  });
  const { text, lacks: requestLacks } = bounded(JSON.stringify(Object.fromEntries(shown)), lacks);
  return { request: text, requestLacks };
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

/** An answer with fields that may not be kept is parsed to take them out; every other one is cut as it came. */
function withoutUnlogged(operation: Operation, answer: Buffer): { text: string; lacks: string } {
  const paths = unloggedResults(operation);
  if (paths.length === 0) return bounded(answer, []);
  if (answer.length > parsedBytes) return { text: '', lacks: 'all of it (a file)' };
  try {
    const result = JSON.parse(answer.toString()) as object;
    const lacks = paths.filter((path) => removeField(result, path.split('.')));
    return bounded(JSON.stringify(result), lacks);
  } catch {
    return { text: '', lacks: 'all of it (it is not readable)' };
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

function bounded(whole: string | Buffer, lacks: readonly string[]): { text: string; lacks: string } {
  const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole;
  const isCut = bytes.length > keptBytes;
  const text = storable(bytes.subarray(0, keptBytes).toString(), keptBytes);
  return { text, lacks: [...lacks, ...(isCut ? [cut] : [])].join(', ') };
}
