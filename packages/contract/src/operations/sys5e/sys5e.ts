import type { OperationGroup } from '../operation-definition.ts';
import { actors } from './actors.ts';
import { concentration } from './concentration.ts';
import { items } from './items.ts';
import { rests } from './rests.ts';
import { rolls } from './rolls.ts';
import { upkeep } from './upkeep.ts';
import { uses } from './uses.ts';

export const sys5e = {
  name: 'sys5e',
  title: 'Fifth-edition actors',
  prefix: '/sys5e',
  systems: ['dnd5e', 'sys5e'],
  definitions: { ...actors, ...rolls, ...concentration, ...rests, ...items, ...upkeep, ...uses },
} as const satisfies OperationGroup;
