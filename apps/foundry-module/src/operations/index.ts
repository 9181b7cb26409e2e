import type { Handlers } from '@tabletop-relay/module-sdk';
import { dnd5e } from './dnd5e.ts';
import { encounters } from './encounters.ts';
import { rolls } from './rolls.ts';
import { utility } from './utility.ts';

/** The operations that this module answers; the relay tells of any other that the world does not know it. */
export const handlers = { ...encounters, ...utility, ...rolls, ...dnd5e } satisfies Handlers;
