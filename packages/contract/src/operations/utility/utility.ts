import type { OperationGroup } from '../operation-definition.ts';
import { selection } from './selection.ts';
import { world } from './world.ts';

export const utility = {
  name: 'utility',
  title: 'Selection, users and world',
  prefix: '',
  definitions: { ...selection, ...world },
} as const satisfies OperationGroup;
