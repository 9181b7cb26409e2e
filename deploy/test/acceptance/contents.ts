import { existsSync } from 'node:fs';
import path from 'node:path';
import { startOf } from '../images/dockerfile.ts';
import type { Target } from '../images/dockerfile.ts';

/** What runs from an image, and where that is. */
export interface Placed {
  target: Target;
  /** What the image holds: its whole file system, or only what stands in its /app. */
  folder: string;
  /** Beside what the image sets. */
  environment: Readonly<Record<string, string>>;
  /** A folder of files, which the process finds at `secretsIn`. */
  secrets: string;
}

const containScript = path.join(import.meta.dirname, 'contain.sh');
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Only Chromium writes anything. */
const writesTmp = (target: Target) => target === 'browser-host';

/** Whether the folder has the system with Node as well; the machine's Node runs what has not. */
export const isWholeSystem = (folder: string): boolean => existsSync(path.join(folder, 'app'));

export const secretsIn = ({ folder, secrets }: Pick<Placed, 'folder' | 'secrets'>): string =>
  isWholeSystem(folder) ? '/run/secrets' : secrets;

/** The command line that starts a container. With a whole system `unshare` comes first: Node is its child. */
export function toStart(placed: Placed, command: readonly string[]): string[] {
  const { target, folder, secrets } = placed;
  if (!isWholeSystem(folder)) return withEnvironment(placed, command);
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  const tmp = writesTmp(target) ? 'tmp' : 'none';
  const contained = ['sh', containScript, folder, secrets, startOf(target).user, tmp];
  return [...namespaces, ...contained, ...withEnvironment(placed, command)];
}

/** The command line that runs something beside a process that runs, as `kubectl exec` does. */
export function toEnter(placed: Placed, pid: number, command: readonly string[]): string[] {
  if (!isWholeSystem(placed.folder)) return withEnvironment(placed, command);
  const [user = '', group = ''] = startOf(placed.target).user.split(':');
  const there = ['nsenter', '--target', String(pid), '--mount', '--pid', '--root', '--wd'];
  return [...there, '--setuid', user, '--setgid', group, ...withEnvironment(placed, command)];
}

function withEnvironment({ target, folder, environment }: Placed, command: readonly string[]): string[] {
  const isWhole = isWholeSystem(folder);
  const all = {
    PATH: isWhole ? systemPath : `${path.dirname(process.execPath)}:${systemPath}`,
    ...startOf(target).environment,
    ...environment,
  };
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return ['env', '--ignore-environment', '--chdir', isWhole ? '/app' : folder, ...pairs, ...command];
}
