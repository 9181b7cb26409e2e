/** The types of the fields that an event carries. Plain data instead of schemas: browsers load the catalogues. */
interface FieldTypes {
  text: string;
  texts: readonly string[];
  number: number;
  flag: boolean;
  list: readonly unknown[];
  object: Readonly<Record<string, unknown>>;
  json: unknown;
}

/** `text?`: the field may be absent or null. */
export type FieldType = keyof FieldTypes | `${keyof FieldTypes}?`;

export type Fields = Readonly<Record<string, FieldType>>;

type ValueOf<T extends FieldType> = T extends `${infer Type extends keyof FieldTypes}?`
  ? FieldTypes[Type] | null | undefined
  : T extends keyof FieldTypes
    ? FieldTypes[T]
    : never;

/** The names of the fields that must be there. */
export type RequiredNames<F extends Fields> = {
  [N in keyof F]: F[N] extends `${string}?` ? never : N;
}[keyof F];

/** The data of an event with these fields. */
export type DataOf<F extends Fields> = { readonly [N in RequiredNames<F>]: ValueOf<F[N]> } & {
  readonly [N in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[N]>;
};
