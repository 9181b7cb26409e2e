import type { Logger } from 'pino';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const asRoot = 'it runs as root';
export const noNamespaces = 'the system gives it no user namespaces';

export const whatThatMeans =
  'a page that breaks out of it has the rights of this process. Run it as another user than root, where programs get user namespaces.';

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Says at the host's start, before any session, that its Chromium will hardly run in its sandbox. */
export async function tellOfSandbox(log: Pick<Logger, 'warn'>): Promise<void> {
  const reason = await findObstacle();
  if (reason) log.warn({ reason }, `Chromium will run without its sandbox: ${whatThatMeans}`);
}

const askedWithinMs = 5_000;

/** The sandbox is made of user namespaces, so that a program that makes one finds out. Only Chromium's start is certain. */
async function findObstacle(): Promise<string | undefined> {
  if (isRoot()) return asRoot;
  if (process.platform !== 'linux') return undefined;
  try {
    await promisify(execFile)('unshare', ['--user', 'true'], { timeout: askedWithinMs });
    return undefined;
  } catch (error) {
    const hasNoProgram = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return hasNoProgram ? undefined : noNamespaces;
  }
}
