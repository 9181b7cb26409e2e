export interface FoundAddress {
  address: string;
  family: number;
}

/** The addresses of a name. With a signal it may stop asking when that aborts. */
export type LookupAll = (host: string, signal?: AbortSignal) => Promise<FoundAddress[]>;
