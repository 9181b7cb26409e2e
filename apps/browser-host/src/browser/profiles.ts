import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** `relay-session-<process id of the host>-<six letters>`, in the machine's folder for what is temporary. */
const named = /^relay-session-(\d+)-\w{6}$/;

/** The names of those that this process made. A container that starts anew may have the process id of the one before. */
const own = new Set<string>();

/** Makes the folder in which one browser keeps what it has. */
export async function makeProfile(): Promise<string> {
  const profile = await mkdtemp(path.join(os.tmpdir(), `relay-session-${process.pid}-`));
  own.add(path.basename(profile));
  return profile;
}

/**
 * Deletes the folders that hosts left behind when they were killed: each may hold hundreds of megabytes, cookies among them.
 * Those of hosts that live stay. Resolves with how many were deleted.
 */
export async function clearProfiles(): Promise<number> {
  const names = await readdir(os.tmpdir());
  const left = names.filter((name) => {
    const pid = Number(named.exec(name)?.[1]);
    return Number.isInteger(pid) && !own.has(name) && (pid === process.pid || !isAlive(pid));
  });
  await Promise.all(
    left.map((name) => rm(path.join(os.tmpdir(), name), { recursive: true, force: true, maxRetries: 3 })),
  );
  return left.length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be asked, so it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
