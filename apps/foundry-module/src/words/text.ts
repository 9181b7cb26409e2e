import { tabletop } from '../tabletop/foundry.ts';
import { languagePrefix } from './english.ts';
import type { ContractKey } from './contract-words.ts';
import type { TextKey } from './english.ts';

/** A text in the language of the user. */
export function text(key: TextKey | ContractKey, data: Record<string, string> = {}): string {
  return tabletop.game.i18n.format(`${languagePrefix}.${key}`, data);
}
