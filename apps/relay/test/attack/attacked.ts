import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AttackedRoute } from './matrix/routes.ts';
import type { Tally } from './tally.ts';

/** A relay to be attacked, in another process. */
export interface Attacked {
  url: string;
  routes: AttackedRoute[];
  /** Gives each line of its log from now on. */
  onLogLine(read: (line: string) => void): void;
  stop(): Promise<void>;
}

/** Starts one; that it ends before it is told to is a finding. */
export async function startAttacked(
  tally: Tally,
  options: { databaseUrl: string; config?: Record<string, unknown> },
): Promise<Attacked> {
  const child = fork(fileURLToPath(new URL('./attacked-relay.ts', import.meta.url)), {
    env: { ...process.env, ATTACKED: JSON.stringify({ config: {}, ...options }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let isStopping = false;
  let trouble = '';
  child.stderr?.on('data', (data: Buffer) => (trouble = (trouble + data.toString()).slice(-4_000)));
  const exited = once(child, 'exit').then(([code]) => {
    if (!isStopping) tally.found('crash', `the relay ended with ${String(code)}`, trouble);
  });
  let read: (line: string) => void = () => {};
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => read(line));
  const started = once(child, 'message') as Promise<[{ url: string; routes: AttackedRoute[] }]>;
  const ready = await Promise.race([started, exited]);
  if (!ready) throw new Error(`the relay did not start: ${trouble}`);
  const [{ url, routes }] = ready;
  return {
    url,
    routes,
    onLogLine: (reader) => void (read = reader),
    async stop() {
      isStopping = true;
      child.send('stop');
      await exited;
    },
  };
}
