import type { Adapter } from './adapter.ts';
import { demoWorld } from './demo-world.ts';
import { foundry } from './foundry/foundry.ts';

/** Every tabletop that sessions can log in to. */
export const adapters: readonly Adapter[] = [demoWorld, foundry];
