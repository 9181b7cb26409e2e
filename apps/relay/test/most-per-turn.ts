import { setImmediate as nextTurn } from 'node:timers/promises';

/** By how much a count grows in one turn of the event loop at the most, until it has reached `whole`. */
export async function mostPerTurn(count: () => number, whole: number): Promise<number> {
  let most = 0;
  for (let before = 0; before < whole;) {
    await nextTurn();
    const now = count();
    most = Math.max(most, now - before);
    before = now;
  }
  return most;
}
