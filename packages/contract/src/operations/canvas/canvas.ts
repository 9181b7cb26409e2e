import type { OperationGroup } from '../operation-definition.ts';
import { canvasDocuments } from './canvas-documents.ts';
import { tokens } from './tokens.ts';

/** What lies on scenes, and where. */
export const canvas = {
  name: 'canvas',
  title: 'Canvas',
  prefix: '',
  definitions: { ...canvasDocuments, ...tokens },
} as const satisfies OperationGroup;
