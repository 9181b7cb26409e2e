import { setTimeout as delay } from 'node:timers/promises';
import type { Child, Usage } from './processes/child.ts';

/** The least of a few looks: after a collection the process gives memory back bit by bit. */
export async function residentBytes(instance: Child): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 8; look++) {
    await instance.ask('collect');
    await delay(500);
    const { rssBytes } = await instance.ask<Usage>('usage');
    least = Math.min(least, rssBytes);
  }
  return least;
}
