import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface OpsServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  metrics: Registry;
  /** Answered at `/readyz`: 200 if `ready`, else 503. A rejection is answered with 503 as well. */
  health: () => Promise<{ ready: boolean }>;
}

export interface OpsServer {
  url: string;
  close(): Promise<void>;
}

/** Serves `/metrics`, `/livez` and `/readyz` to operators, on a port that callers do not reach. */
export async function startOpsServer({ host, port, metrics, health }: OpsServerOptions): Promise<OpsServer> {
  const routes: Record<string, (response: ServerResponse) => Promise<void>> = {
    async '/metrics'(response) {
      const text = await metrics.metrics();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    },
    async '/livez'(response) {
      sendJson(response, 200, { status: 'ok' });
    },
    async '/readyz'(response) {
      const state = await health();
      sendJson(response, state.ready ? 200 : 503, state);
    },
  };
  const server = createServer((request, response) => {
    const route = routes[(request.url ?? '').split('?', 1)[0] ?? ''];
    if (route === undefined) sendJson(response, 404, { error: 'not found' });
    else if (request.method !== 'GET') sendJson(response, 405, { error: 'GET only' });
    else route(response).catch((error: unknown) => sendJson(response, 503, { error: String(error) }));
  });
  await once(server.listen(port, host), 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
