import type { Data, FoundryDocument, Scene } from '../tabletop/documents.ts';

/** What differs between generations of the tabletop. Callers give data in either form where that costs little. */
export interface CoreVersion {
  /**
   * Data of a document of that kind, as the version takes them: keys that delete, changes of effects, backgrounds of scenes. `changed` is the
   * document that is there already.
   */
  changesOf(kind: string, data: Data, changed?: FoundryDocument): Data;
  /** The picture of a scene's ground. */
  backgroundOf(scene: Scene): string | null;
  /** Changes of an effect with `mode` and `type` both, so that programs of any age read them. */
  effectChanges(effect: FoundryDocument): Data[];
  /** The kind that templates are. */
  readonly templateKind: 'MeasuredTemplate' | 'Region';
  filePicker(): FilePicker;
}

export interface FilePicker {
  browse(source: string, target: string): Promise<{ dirs: string[]; files: string[] }>;
  createDirectory(source: string, target: string): Promise<unknown>;
  upload(
    source: string,
    path: string,
    file: File,
    body: object,
    options: { notify: boolean },
  ): Promise<{ path?: string } | false | undefined>;
}

/** How changes of effects act, by the number that generations 12 and 13 have for it and the name of 14. */
const changeTypes = ['custom', 'multiply', 'add', 'downgrade', 'upgrade', 'override'] as const;

export const typeOfMode = (mode: unknown): string | undefined =>
  typeof mode === 'number' ? changeTypes[mode] : undefined;

/** `subtract` of 14 is no mode of its own before. */
export const modeOfType = (type: unknown): number | undefined => {
  const mode = changeTypes.indexOf(type as (typeof changeTypes)[number]);
  return mode === -1 ? undefined : mode;
};

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);
