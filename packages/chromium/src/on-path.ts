import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Finds the first executable of that name on PATH or in the system's folders. */
export function onPath(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/usr/sbin'];
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
