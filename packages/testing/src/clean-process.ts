import { afterAll, expect, vi } from 'vitest';
import { waitFor } from './time/wait-for.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
// Loaded before each file.
const environment = { ...process.env };
const { fetch } = globalThis;
const before = look();

/** What the next file in this process would meet. Connections that Node keeps for the next request are not among it. */
function look() {
  const open = process.getActiveResourcesInfo();
  const count = (kind: string) => open.filter((one) => one === kind).length;
  const variables = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  return {
    servers: count('TCPServerWrap'),
    children: count('ProcessWrap'),
    handlers: signals.map((name) => `${name} ${process.listenerCount(name)}`),
    changedVariables: [...variables].filter((name) => process.env[name] !== environment[name]),
    folder: process.cwd(),
    hasRealTimers: !vi.isFakeTimers(),
    hasRealFetch: globalThis.fetch === fetch,
  };
}

afterAll(async () => {
  const isClean = () => {
    const { servers, children, ...now } = look();
    // What an earlier file left may have ended meanwhile.
    const [mostServers, mostChildren] = [
      Math.max(servers, before.servers),
      Math.max(children, before.children),
    ];
    expect({ ...now, servers: mostServers, children: mostChildren }).toEqual(before);
    return true;
  };
  // A server that was closed ends with its last connection.
  await waitFor(isClean, { timeoutMs: 5_000 }).catch(isClean);
});
