import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child.ts';

/** Takes the spans of instances, as an OpenTelemetry collector does, and forgets them. */
const server = createServer((request, response) => {
  request
    .resume()
    .once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
