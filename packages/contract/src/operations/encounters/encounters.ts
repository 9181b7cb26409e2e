import type { OperationGroup } from '../operation-definition.ts';
import { combatants } from './combatants.ts';
import { lifecycle } from './lifecycle.ts';
import { movement } from './movement.ts';

export const encounters = {
  name: 'encounters',
  title: 'Combat encounters',
  prefix: '',
  definitions: { ...lifecycle, ...movement, ...combatants },
} as const satisfies OperationGroup;
