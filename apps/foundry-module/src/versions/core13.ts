import { core12 } from './core12.ts';
import type { CoreVersion, FilePicker } from './core-version.ts';

interface Namespaces {
  foundry: { applications: { apps: { FilePicker: { implementation: FilePicker } } } };
}

/** 13: classes stand in namespaces. */
export const core13: CoreVersion = {
  ...core12,
  filePicker: () => (globalThis as unknown as Namespaces).foundry.applications.apps.FilePicker.implementation,
};
