import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { itemsJson, skillCheckResult } from './bodies.ts';
import { answerParent } from './child.ts';

/** A world and where it connects. */
export interface World {
  url: string;
  clientId: string;
  token: string;
  /** Items that its answers carry beyond the roll. */
  answerBytes?: number;
}

export interface ConnectRequest {
  worlds: World[];
  /** How many connect at a time. */
  atOnce: number;
}

export interface ConnectReport {
  seconds: number;
  /** Attempts that failed and were made again. */
  retries: number;
}

const patienceMs = 300_000;
/** One loopback address has 28,000 ports, and those of closed connections rest for a minute. */
const sourceAddresses = 8;
const sockets = new Set<WebSocket>();
let dialled = 0;

answerParent('', { connect, drop });

async function connect({ worlds, atOnce }: ConnectRequest): Promise<ConnectReport> {
  const startedAt = performance.now();
  const deadline = startedAt + patienceMs;
  const waiting = worlds.values();
  let retries = 0;
  const run = async (): Promise<void> => {
    for (const world of waiting) {
      while (!(await tryToConnect(world))) {
        retries++;
        if (performance.now() > deadline)
          throw new Error(`a world could not connect within ${patienceMs} ms`);
        await delay(Math.random() * 500);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, worlds.length) }, run));
  return { seconds: (performance.now() - startedAt) / 1000, retries };
}

/** All connections break without a word. */
function drop(): void {
  for (const socket of sockets) socket.terminate();
  sockets.clear();
}

function tryToConnect({ url, clientId, token, answerBytes }: World): Promise<boolean> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/relay?id=${clientId}&worldId=w`, {
    perMessageDeflate: false,
    localAddress: `127.0.0.${1 + (dialled++ % sourceAddresses)}`,
  });
  const items = answerBytes ? `,"items":${itemsJson(answerBytes)}` : '';
  const tail = `,"data":${JSON.stringify(skillCheckResult.data).slice(0, -1)}${items}}}`;
  return new Promise((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      resolve(false);
    });
    socket.on('message', (data: Buffer) => {
      const { type, requestId } = JSON.parse(data.toString()) as { type: string; requestId?: string };
      if (type === 'auth-success') {
        sockets.add(socket);
        resolve(true);
      } else if (requestId && type !== 'cancel') {
        socket.send(`{"type":"${type}-result","requestId":"${requestId}"${tail}`);
      }
    });
  });
}
