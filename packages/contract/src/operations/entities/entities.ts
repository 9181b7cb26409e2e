import type { OperationGroup } from '../operation-definition.ts';
import { attributes } from './attributes.ts';
import { documents } from './documents.ts';
import { handingOver } from './handing-over.ts';

export const entities = {
  name: 'entities',
  title: 'Documents of any kind',
  prefix: '',
  definitions: { ...documents, ...handingOver, ...attributes },
} as const satisfies OperationGroup;
