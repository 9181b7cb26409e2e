import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StartError } from './start-error.ts';

export interface Unprivileged {
  /** Put this before a command line. Empty for a normal user. */
  prefix: string[];
  /** Changes the owner of a path to the user that the prefix switches to. */
  own(path: string): void;
}

const nobody = '65534';

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as another user inside a user namespace. Most containers
 * do not allow those: there it runs as `nobody`, with the one capability that reaches a data folder under root's home.
 */
export function becomeUnprivileged(): Unprivileged {
  if (process.getuid?.() !== 0) return { prefix: [], own: () => {} };
  const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  if (works(namespace)) return { prefix: namespace, own: (path) => chown(path, '0') };
  const setpriv = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  // Without no_setuid_fixup the kernel ignores the capability in access(), which initdb uses to check its binaries.
  const keeping = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  const asNobody = [...setpriv, ...keeping];
  if (works(asNobody)) return { prefix: asNobody, own: (path) => chown(path, nobody) };
  throw new StartError(
    'PostgreSQL does not run as root, and neither unshare nor setpriv works here: ' +
      'start as another user, or set DATABASE_URL',
  );
}

function works([command = '', ...rest]: string[]): boolean {
  return spawnSync(command, [...rest, 'true']).status === 0;
}

function chown(path: string, uid: string): void {
  if (String(statSync(path).uid) === uid) return;
  const result = spawnSync('chown', ['-R', `${uid}:${uid}`, path], { encoding: 'utf8' });
  if (result.status !== 0) throw new StartError(`chown ${path}: ${result.stderr}`);
}
