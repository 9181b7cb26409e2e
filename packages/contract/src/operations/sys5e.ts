import type { OperationGroup } from '../operation.ts';
import { actors } from './sys5e/actors.ts';
import { concentration } from './sys5e/concentration.ts';
import { items } from './sys5e/items.ts';
import { rests } from './sys5e/rests.ts';
import { rolls } from './sys5e/rolls.ts';
import { uses } from './sys5e/uses.ts';

export const sys5e = {
  name: 'sys5e',
  title: 'Fifth-edition actors',
  prefix: '/sys5e',
  definitions: { ...actors, ...rolls, ...concentration, ...rests, ...items, ...uses },
} as const satisfies OperationGroup;
