import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Scope } from '../scopes.ts';
import type { WorldMetadata } from '../world.ts';

/** A query reads, so it may be repeated after an unknown outcome; a command changes the world. */
export type OperationKind = 'query' | 'command';

/**
 * The most that a command can do to what is there: only add to it, change it, or take something away that another call
 * does not bring back. A program or a person may run what it likes, so scripts and macros destroy.
 */
export type Effect = 'adds' | 'changes' | 'destroys';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Why the call log leaves a parameter out: it is a secret, or a script, or the bytes of a file. */
export type Unlogged = 'secret' | 'script' | 'file';

/**
 * Keywords that a parameter's schema may carry beside JSON Schema's. Its `default` is sent to the world when the
 * caller gives no value.
 */
export interface ParameterOptions {
  /**
   * The only place that the parameter may come from. Without it a GET is documented with the query, and every other method
   * with the query and the body; both are read of any. Parameters that the path names come from the path alone.
   */
  place?: 'query' | 'body';
  /** The name that modules read; callers may write either name. Given by `onWire`. */
  wireName?: string;
  /** Further names that callers may write: those of other relays of this kind. They stand in no document but the page about coming over. */
  aliases?: readonly string[];
  /** The list may also come as one text with commas in it: one of ids, of an enumeration or of scopes, whose elements hold none. */
  byCommas?: true;
  /** A number above the schema's `maximum` counts as the maximum, and the caller is told as of what is ignored. */
  cut?: true;
  /** The call log never keeps it. What `bodyBytes` names is left out without this mark. */
  unlogged?: Unlogged;
}

/** Parameters that identify a thing together, for example the two coordinates of a point, or a single one. */
export type Alternative<Name extends string = string> = Name | readonly Name[];

/**
 * Lets a caller send one parameter as the raw body of the request, under any content type but `application/json`, or as
 * the one file of a form (`multipart/form-data`).
 */
export interface BodyBytes<Name extends string = string> {
  /** Receives the bytes as text. Callers of JSON write that text themselves. The other parameters come in the query. */
  parameter: Name;
  /** How the module reads the bytes: plain base64, or a `data:` URL with the content type in it. */
  encoding: 'base64' | 'data-url';
  /** Receives the body's content type, unless the query gives it. */
  contentType?: Name;
  /** Receives the file's name in a form, unless the query or another field of the form gives it. */
  fileName?: Name;
  /** Largest raw body, in bytes. */
  maxBytes: number;
}

/** Says where a result carries a file. Each field is a dotted path, for example `data.imageData`. */
export interface ResultBytes {
  /**
   * Holds the bytes as base64 or as a `data:` URL. Where its schema is optional a world may answer without them:
   * the call then fails with `operation_failed`.
   */
  field: string;
  /** Holds the content type. Without it the `data:` URL's own counts. */
  contentType?: string;
  /** Holds the file's name or path. Without it an image is named after the operation: `scene-screenshot.png`. */
  fileName?: string;
  /** The answer is JSON, and the file only for callers whose `Accept` names this type: `image/*` or a kind of image. */
  onlyFor?: 'image';
  /** A parameter of `alsoRead`, and the value by which a caller asks for JSON. */
  inJson?: { parameter: string; value: string };
  /** Hold the picture's size in pixels, which stands in `x-image-width` and `x-image-height` beside the bytes. */
  width?: string;
  height?: string;
}

/** The facts about the caller of an operation that its literal may use. */
export interface CallerFacts {
  scopes: readonly Scope[];
}

/** The fields of a frame by their names on the wire. */
export type Fields = Record<string, unknown>;

/** One operation as it is written down: everything that is known of it, and nothing that follows from it. */
export interface OperationDefinition<
  Input extends TProperties = TProperties,
  Output extends TObject = TObject,
> {
  kind: OperationKind;
  /** One line in the imperative, without a full stop. */
  summary: string;
  description?: string;
  scope: Scope;
  /** Each command has one and no query. Whoever asks a person before something is lost goes by it. */
  effect?: Effect;
  /** The scopes that a call needs besides, by its fields on the wire: a change of a macro needs `macro:write`. */
  scopesFor?: (fields: Fields) => readonly Scope[];
  /**
   * Modules are known that do not check here what the acting user may do or see. Callers that are bound to a user are refused
   * unless the module declares that it does.
   */
  userUnchecked?: true;
  /** Only where it is not GET for a query and POST for a command. */
  method?: Method;
  /**
   * Only where the published path is not `<prefix>/<name>`. A part like `:uuid` is the parameter of that name: it must
   * be declared in `parameters`, as required.
   */
  path?: `/${string}`;
  /**
   * It does more, reaches more people or acts on what is current when less is given. A parameter that it does not know is
   * refused then, and an empty text is never taken for one left out. A DELETE is so without this mark.
   */
  lessIsMore?: true;
  /** How long the caller waits for the world's answer; 10 s where it is not given. */
  timeoutMs?: number;
  parameters: Input;
  /**
   * Parameters that programs of other relays send, which say something to this relay and nothing to the world. They stand
   * in no document but the page about coming over.
   */
  alsoRead?: TProperties;
  /**
   * Groups of alternatives of which one identifies a thing: none is refused, and of several the first of the
   * list counts and the others are not sent.
   */
  identifiedBy?: readonly (readonly Alternative<keyof Input & string>[])[];
  /** Parameters of which the first that is given counts, and none is fine. */
  prefers?: readonly (readonly (keyof Input & string)[])[];
  /** Parameters of which one at least must be given; several may be. */
  needsOneOf?: readonly (keyof Input & string)[];
  /** A list of `needsOneOf` that may be empty where this flag is on: what was there is replaced by nothing. */
  clearsBy?: { list: keyof Input & string; flag: keyof Input & string };
  /** One parameter may come as the raw body of the request. */
  bodyBytes?: BodyBytes<keyof Input & string>;
  /**
   * Largest body in bytes; only where the relay's own limit (8 MiB by default) is not right. Where a raw body is taken
   * it must leave room for the same bytes as base64 in JSON.
   */
  maxBodyBytes?: number;
  /** The fields of the result beside `type` and `requestId`. */
  result: Output;
  /** The result carries a file, and HTTP answers its bytes. Callers that prefer JSON get the result itself, as `resultBytes` says. */
  resultBytes?: ResultBytes;
  /**
   * The answer may hold a secret beside what somebody else has chosen, such as what a script returns. It is never
   * compressed, because the length of the two packed together would tell of the secret, and nothing of it is ever kept.
   */
  secretAnswer?: true;
  /**
   * Fields of the result that the call log never keeps, as dotted paths that may lead through lists. It leaves out
   * without this what `resultBytes` names, and fields at any depth whose names tell of a secret.
   */
  unloggedResult?: readonly string[];
  /**
   * Codes that a world may refuse this operation with (the `reason` of `operation_failed`), beside `commonReasons`.
   */
  reasons?: readonly string[];
  /** Adds to the checked parameters what the module needs and no caller gives. */
  adaptCommand?: (fields: Fields, caller: CallerFacts) => Fields;
  /** Mends what today's modules answer. Returns the same object where there is nothing to mend. */
  adaptResult?: (result: Fields, world: WorldMetadata) => Fields;
  /** A call that the demo world answers and what it answers, for the reference and for the tests. */
  example: { parameters: Values<Input>; result: Values<Output['properties']> };
}

/** The values that fit a set of parameters; TypeBox calls those of an empty set `object`, which forbids nothing. */
export type Values<Input extends TProperties> = {
  -readonly [K in keyof Static<TObject<Input>>]: Static<TObject<Input>>[K];
};

export type OperationDefinitions = Record<string, OperationDefinition>;

/** A set of operations under one path prefix, with its place in the reference and in the SDK. */
export interface OperationGroup<D extends OperationDefinitions = OperationDefinitions> {
  /** The SDK's property and the reference's tag. */
  name: string;
  title: string;
  prefix: '' | `/${string}`;
  /** Ids of the rules systems whose worlds know them; all know them where it is not given. */
  systems?: readonly string[];
  definitions: D;
}

/** The names of the parts of a path that are parameters. */
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The literal of one operation. Fields that the SDKs' types depend on keep the exact types that they are written with. */
type Written<
  Input extends TProperties,
  Output extends TObject,
  Path extends `/${string}`,
  Bytes extends BodyBytes<keyof Input & string>,
  File extends ResultBytes,
> = Omit<OperationDefinition<Input, Output>, 'kind' | 'path' | 'bodyBytes' | 'resultBytes'> & {
  path?: Path &
    ([PathNames<Path>] extends [keyof Input] ? unknown : 'a parameter of the path is not declared');
  bodyBytes?: Bytes;
  resultBytes?: File;
};

type Defined<
  Kind extends OperationKind,
  Input extends TProperties,
  Output extends TObject,
  Bytes extends object,
  File extends object,
> = OperationDefinition<Input, Output> & { kind: Kind; bodyBytes?: Bytes; resultBytes?: File };

/** Writes down an operation that only reads. */
export function query<
  const I extends TProperties,
  O extends TObject,
  const P extends `/${string}` = never,
  const B extends BodyBytes<keyof I & string> = never,
  const F extends ResultBytes = never,
>(definition: Omit<Written<I, O, P, B, F>, 'effect'>): Defined<'query', I, O, B, F> {
  return { kind: 'query', ...definition };
}

/** Writes down an operation that changes the world. */
export function command<
  const I extends TProperties,
  O extends TObject,
  const P extends `/${string}` = never,
  const B extends BodyBytes<keyof I & string> = never,
  const F extends ResultBytes = never,
>(definition: Written<I, O, P, B, F> & { effect: Effect }): Defined<'command', I, O, B, F> {
  return { kind: 'command', ...definition };
}

/**
 * Gives a parameter the name that modules read, where it differs from the one that callers are shown. The schema may be one
 * that several operations share, so it stays as it is and a copy of it has the name.
 */
export function onWire<const Name extends string, S extends TSchema>(
  wireName: Name,
  schema: S,
): S & { wireName: Name } {
  // Spreading would lose the fields that TypeBox hides, such as whether the parameter is optional.
  const copy = Object.defineProperties({} as S, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, { wireName });
}

/** Alternatives as text lists them: names in code marks, those that belong together joined by "with". */
export function alternatives(group: readonly Alternative[]): string {
  return group
    .map((alternative) =>
      namesOf(alternative)
        .map((name) => `\`${name}\``)
        .join(' with '),
    )
    .join(', ');
}

/** The parameters that one alternative consists of. */
export function namesOf(alternative: Alternative): readonly string[] {
  return typeof alternative === 'string' ? [alternative] : alternative;
}
