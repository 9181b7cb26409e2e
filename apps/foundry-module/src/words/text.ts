import { tabletop } from '../tabletop/foundry.ts';
import type { TextKey } from './english.ts';

/** Where our texts stand among those of the tabletop. */
export const languagePrefix = 'TABLETOP-RELAY';

/** A text in the language of the user. */
export function text(key: TextKey, data: Record<string, string> = {}): string {
  return tabletop.game.i18n.format(`${languagePrefix}.${key}`, data);
}
