import { readFileSync } from 'node:fs';

export type Proxy = 'haproxy' | 'nginx';

export interface Balanced {
  /** Where the balancer listens. */
  port: number;
  /** Where the instances do. */
  ports: readonly number[];
  /** A folder of its own. */
  folder: string;
  /** Whether one address has no more than the files allow it. All that tests send comes from one. */
  boundsAddress: boolean;
  /** The instance that gets nothing new. */
  leftOut: number | undefined;
}

const read = (name: string) =>
  readFileSync(new URL(`../../../../deploy/proxy/${name}`, import.meta.url), 'utf8');

/** The files of deploy/proxy for instances on loopback. What is replaced must be there: a rule that moved is noticed. */
export const configurations: Readonly<Record<Proxy, (balanced: Balanced) => string>> = {
  haproxy({ port, ports, boundsAddress }) {
    const servers = ports.map((server, index) => `  server relay-${index + 1} 127.0.0.1:${server}`);
    return edit(read('haproxy.cfg'), [
      [/bind :8080/, `bind 127.0.0.1:${port}`],
      // Instances under test drain ten times as fast.
      [/inter 1s/, 'inter 200ms'],
      [/^resolvers containers\n( .*\n)+/m, ''],
      [/ resolvers containers init-addr libc,none/, ''],
      [/( {2}server .*\n)+/, `${servers.join('\n')}\n`],
      [/maxconn 20000/, 'maxconn 4096'],
      ...(boundsAddress
        ? []
        : ([
            [/^ {2}tcp-request connection reject .*\n/m, ''],
            [/^ {2}http-request deny .*\n/m, ''],
          ] as const)),
    ]);
  },
  nginx({ port, ports, folder, leftOut, boundsAddress }) {
    const servers = ports.map(
      (server, index) =>
        `    server 127.0.0.1:${server} ${index === leftOut ? 'down' : 'max_fails=1 fail_timeout=5s'};`,
    );
    const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `  ${kind}_temp_path ${folder};`,
    );
    return edit(read('nginx.conf'), [
      [/listen 8080/, `listen 127.0.0.1:${port}`],
      [/( {4}server relay.*\n)+/, `${servers.join('\n')}\n`],
      [/^http \{\n/m, `error_log stderr notice;\nhttp {\n  access_log off;\n${own.join('\n')}\n`],
      // One that says when it takes nothing new any more.
      [/worker_processes auto/, 'worker_processes 1'],
      [/worker_connections 20000/, 'worker_connections 4096'],
      ...(boundsAddress
        ? []
        : ([
            [/^ {4}limit_conn .*\n/m, ''],
            [/^ {4}limit_req .*\n/m, ''],
          ] as const)),
    ]);
  },
};

function edit(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((edited, [pattern, replacement]) => {
    if (!pattern.test(edited)) throw new Error(`deploy/proxy has no ${pattern}`);
    return edited.replace(pattern, replacement);
  }, text);
}
