import type { Data } from '../tabletop/documents.ts';
import { listOf, modeOfType, typeOfMode } from './core-version.ts';
import type { CoreVersion, FilePicker } from './core-version.ts';

/** What 12 alone has, and what 13 shares with it. */
export const core12: CoreVersion = {
  templateKind: 'MeasuredTemplate',

  changesOf(kind, data) {
    if (kind !== 'ActiveEffect') return data;
    const { icon, ...effect } = data;
    const changes = 'changes' in effect ? { changes: listOf(effect['changes']).map(withMode) } : {};
    return { ...(icon !== undefined && { img: icon }), ...effect, ...changes };
  },

  backgroundOf: (scene) => (scene as unknown as { background: { src: string | null } }).background.src,

  effectChanges: (effect) =>
    listOf((effect as unknown as { changes: unknown }).changes).map((change) => {
      const type = typeOfMode(change['mode']);
      return { ...change, ...(type !== undefined && { type }) };
    }),

  filePicker: () => (globalThis as unknown as { FilePicker: FilePicker }).FilePicker,
};

function withMode({ type, ...change }: Data): Data {
  const mode = change['mode'] ?? modeOfType(type);
  return { ...change, ...(mode !== undefined && { mode }) };
}
