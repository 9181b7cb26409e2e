import { Refusal } from '../refusal.ts';
import type { WorldState } from '../state.ts';

/** Bounds of a world. It lives in memory, and its page gets all of it. */
const limits = { documents: 2_000, characters: 2_000_000 };

/** Refuses a state that has grown beyond what a world holds. */
export function assertSpace({ actors, scenes, users, chat, documents }: WorldState): void {
  const things = [...actors, ...scenes, ...users, ...chat, ...Object.values(documents)];
  const count = actors.reduce((sum, { items }) => sum + items.length, things.length);
  const size = things.reduce((sum, thing) => sum + sizeOf(thing), 0);
  if (count > limits.documents || size > limits.characters)
    throw new Refusal('world_full', 'This world holds no more: delete something first');
}

/** Things are replaced and never changed, so each is measured once. */
const sizes = new WeakMap<object, number>();

function sizeOf(thing: object): number {
  let size = sizes.get(thing);
  if (size === undefined) sizes.set(thing, (size = JSON.stringify(thing).length));
  return size;
}
