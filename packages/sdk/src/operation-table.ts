/** How to ask for one operation. It takes the place of the contract's schemas, which no program loads. */
export interface OperationRow {
  /** Method and path, `PUT /macro/:uuid`; `:name` stands for the parameter of that name. */
  call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** Parameters that must stand in the query, where the method would have them in the body. */
  inQuery?: readonly string[];
  /** Parameters that must stand in the body, where the method would have them in the query. */
  inBody?: readonly string[];
  /** The parameter that may be given as bytes. */
  rawBody?: string;
  /** How long the relay waits for the world; 10 s by default. */
  timeoutMs?: number;
  /** True where the operation only reads, and its method does not say so. */
  isRepeatable?: boolean;
  /** The answer is a file. */
  answersFile?: boolean;
}

/** Operations by group and method. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, OperationRow>>>>;
