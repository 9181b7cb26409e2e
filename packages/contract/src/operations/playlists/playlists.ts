import type { OperationGroup } from '../operation-definition.ts';
import { playing } from './playing.ts';
import { sounds } from './sounds.ts';

/** Music and sounds for everyone at the table. */
export const playlists = {
  name: 'playlists',
  title: 'Playlists and sounds',
  prefix: '',
  definitions: { ...playing, ...sounds },
} as const satisfies OperationGroup;
