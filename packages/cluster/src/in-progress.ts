/** So many entries use one map. */
const renewAfter = 64;

/**
 * What is in progress, by name: entries that come and go without end. It moves to a new Map now and then, because one that is never
 * new keeps what it had: V8 links each table that a Map outgrew to the next (docs/performance.md).
 */
export class InProgress<V> {
  #entries = new Map<string, V>();
  #added = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): V | undefined {
    return this.#entries.get(name);
  }

  set(name: string, value: V): void {
    if (++this.#added % renewAfter === 0) this.#entries = new Map(this.#entries);
    this.#entries.set(name, value);
  }

  delete(name: string): boolean {
    return this.#entries.delete(name);
  }

  /** Those that are there now, in the order in which they came. */
  names(): string[] {
    return [...this.#entries.keys()];
  }

  first(): V | undefined {
    return this.#entries.values().next().value;
  }
}
