import type { OperationGroup } from '../operation-definition.ts';
import { pictures } from './pictures.ts';
import { sceneDocuments } from './scene-documents.ts';

/** Scenes: their documents, which of them is shown, and what they look like. */
export const scenes = {
  name: 'scenes',
  title: 'Scenes',
  prefix: '',
  definitions: { ...sceneDocuments, ...pictures },
} as const satisfies OperationGroup;
