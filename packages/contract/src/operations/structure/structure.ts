import type { OperationGroup } from '../operation-definition.ts';
import { folders } from './folders.ts';
import { search } from './search.ts';

export const structure = {
  name: 'structure',
  title: 'Search and folders',
  prefix: '',
  definitions: { ...search, ...folders },
} as const satisfies OperationGroup;
