import type { Actor, Item } from '../src/world/state.ts';
import type { World } from '../src/world/world.ts';

/** A refusal with this code, for `toThrow`. */
export const refusal = (code: string) =>
  Object.assign(new Error(), { asymmetricMatch: (error: { code?: unknown }) => error.code === code });

/** The actor as it is now. */
export function actorOf(world: World, uuid: string): Actor {
  const found = world.state().actors.find((actor) => actor.uuid === uuid);
  if (!found) throw new Error(`No ${uuid}`);
  return found;
}

/** An actor's item as it is now. */
export function itemOf(world: World, uuid: string, id: string): Item {
  const found = actorOf(world, uuid).items.find((item) => item.id === id);
  if (!found) throw new Error(`No ${id} on ${uuid}`);
  return found;
}

export const token = (id: string) => `Scene.chapel.Token.${id}`;
