import { StartError } from '@tabletop-relay/database';
import { explainListening } from '@tabletop-relay/process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface WantedPort {
  /** The setting that names it. */
  setting: string;
  host: string;
  port: number;
}

/** Listens on each port for a moment. Throws `StartError` with all that cannot be had. */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const { setting, host, port } of wanted) {
    const server = createServer();
    try {
      await once(server.listen({ host, port }), 'listening');
    } catch (error) {
      problems.push(explainListening(error as NodeJS.ErrnoException, setting));
    } finally {
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    }
  }
  const [first, second] = wanted;
  if (first && first.port !== 0 && first.port === second?.port)
    problems.push(`${first.setting} and ${second.setting} are both ${first.port}; set one to another`);
  if (problems.length > 0) throw new StartError(problems.join('; '));
}
