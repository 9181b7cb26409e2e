/** What today's module reads and answers for one action, as it was read from a module in use and from answers of real worlds. */
export interface ModuleFact {
  /** Its place at its own relay. */
  http: string;
  /** How long its own relay waits for it. */
  timeoutS: number;
  /** The fields that it reads of a command, beside `userId`. A question mark says that it does without. */
  reads: string;
  /** What it answers beside `type` and `requestId`. Values that differ from world to world are `open`. */
  answer: Sample;
  /** What a refusal carries beside `requestId` and `error`, or in place of its `type`. */
  refusal?: Record<string, unknown>;
}

export type ModuleFacts = Record<string, ModuleFact>;

/** A JSON value with places that differ from world to world. */
export type Sample = unknown;

const absent = Symbol('absent');

/** A place that has one of several values, or none (`absent`). */
class Open {
  readonly values: readonly Sample[];
  constructor(values: readonly Sample[]) {
    this.values = values;
  }
}

/** A place that has one of these values. The first is the usual one. */
export const open = (...values: readonly Sample[]): Sample => new Open(values);

/** A field that some worlds leave out. */
export const maybe = (value: Sample): Sample => open(value, absent);

/** A field that is null in some worlds. */
export const orNull = (value: Sample): Sample => open(value, null);

/** One answer that a real world gives. */
export interface RealAnswer {
  /** What sets it apart from the usual one. */
  what: string;
  answer: Record<string, unknown>;
}

/** The usual answer, one for each further value of each open place, and one with the last value of every place. */
export function answersOf({ answer }: Pick<ModuleFact, 'answer'>): RealAnswer[] {
  const places = new Map<string, readonly Sample[]>();
  const usual = fill(answer, (path, values) => {
    places.set(path, values);
    return values[0];
  });
  const others = [...places].flatMap(([path, values]) =>
    values.slice(1).map((value) => ({
      what: `${path} ${value === absent ? 'absent' : value === null ? 'null' : 'in another form'}`,
      answer: fill(answer, (at, [first]) => (at === path ? value : first)),
    })),
  );
  const least = fill(answer, (_path, values) => values.at(-1));
  const all = [{ what: 'usual', answer: usual }, ...others, { what: 'with the least', answer: least }];
  return (places.size > 1 ? all : all.slice(0, -1)) as RealAnswer[];
}

/** Every real answer without one of the fields that no real world leaves out. */
export function brokenAnswersOf(fact: Pick<ModuleFact, 'answer'>): RealAnswer[] {
  const [usual, ...others] = answersOf(fact).map(({ answer }) => answer) as [RealAnswer['answer']];
  const elsewhere = others.map((answer) => new Set(pathsOf(answer)));
  const certain = pathsOf(usual).filter((path) => elsewhere.every((paths) => paths.has(path)));
  return certain.map((path) => ({ what: `without ${path}`, answer: without(usual, path) }));
}

function without(value: Record<string, unknown>, path: string): Record<string, unknown> {
  const copy = structuredClone(value);
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], copy);
  delete (holder as Record<string, unknown>)[last];
  return copy;
}

type PickValue = (path: string, values: readonly Sample[]) => Sample;

function fill(sample: Sample, pick: PickValue, path = ''): unknown {
  if (sample instanceof Open) return fill(pick(path, sample.values), pick, path);
  if (Array.isArray(sample)) return sample.map((one, index) => fill(one, pick, join(path, index)));
  if (typeof sample !== 'object' || sample === null) return sample;
  const entries = Object.entries(sample).map(([name, value]): [string, unknown] => [
    name,
    fill(value, pick, join(path, name)),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== absent));
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = join(path, name);
    return Array.isArray(value) ? pathsOf(inner, here) : [here, ...pathsOf(inner, here)];
  });
}

const join = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
