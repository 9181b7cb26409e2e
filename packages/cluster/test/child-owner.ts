import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawnBound } from '@tabletop-relay/testing';
import { vi } from 'vitest';

export interface ChildEvent {
  event: 'claimed' | 'delivered' | 'evicted' | 'authority';
  [detail: string]: unknown;
}

/** An owning instance in a separate process. */
export interface ChildOwner {
  readonly events: ChildEvent[];
  readonly pid: number;
  end(): Promise<void>;
}

/** The handover that the child offers from the start. */
export const childHandover = 'the handover of the child';

const program = fileURLToPath(new URL('./owner-process.ts', import.meta.url));

/** Resolves when the child process owns the client. */
export async function startChildOwner(url: string, clientId: string): Promise<ChildOwner> {
  const child = spawnBound({ command: process.execPath, env: {} }, [program, url, clientId, childHandover]);
  const events: ChildEvent[] = [];
  let trouble = '';
  child.process.stderr?.on('data', (text: Buffer) => (trouble += text.toString()));
  if (child.process.stdout) {
    createInterface(child.process.stdout).on('line', (line) => events.push(JSON.parse(line) as ChildEvent));
  }
  await vi.waitFor(
    () => {
      if (!events.some(({ event, authority }) => event === 'authority' && authority === 'owner')) {
        throw new Error(`the child does not own the client yet: ${trouble}`);
      }
    },
    { timeout: 10_000, interval: 10 },
  );
  return { events, pid: child.pid, end: () => child.end('SIGKILL') };
}
