const maxItems = 128;
const maxBytes = 1 << 20;

/** Collects the items of one turn of the event loop, up to 128 or 1 MiB, so that they share one round trip. */
export function createTickBatch<T>(flush: (items: T[]) => void): (item: T, bytes: number) => void {
  let items: T[] = [];
  let size = 0;
  const flushNow = (): void => {
    if (items.length === 0) return;
    const batch = items;
    items = [];
    size = 0;
    flush(batch);
  };
  return (item, bytes) => {
    if (items.length === 0) setImmediate(flushNow);
    items.push(item);
    size += bytes;
    if (items.length >= maxItems || size >= maxBytes) flushNow();
  };
}
