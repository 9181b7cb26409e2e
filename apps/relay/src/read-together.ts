/**
 * Makes one query of all reads that begin within a turn of the event loop, because ten thousand worlds may come back at
 * once. The query is sent after the last of these reads has begun. A failed query fails each of its reads.
 */
export function readTogether<V>(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let next: { keys: string[]; values: Promise<ReadonlyMap<string, V>> } | undefined;

  function begin() {
    const keys: string[] = [];
    const values = new Promise<ReadonlyMap<string, V>>((resolve) =>
      setImmediate(() => {
        next = undefined;
        resolve(readAll(keys));
      }),
    );
    return { keys, values };
  }

  return async (key) => {
    next ??= begin();
    next.keys.push(key);
    return (await next.values).get(key);
  };
}
