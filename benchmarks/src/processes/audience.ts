import { build } from 'hdr-histogram-js';
import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { answerParent } from './child.ts';

/** Listeners on bare connections, and the modules whose events they hear: one process, so that both have one clock. */
export interface ListenRequest {
  url: string;
  clientId: string;
  apiKey: string;
  count: number;
}

export interface SendRequest {
  clientId: string;
  /** Numbers the events, from here. */
  from: number;
  events: number;
  perSecond: number;
}

export interface Heard {
  p50Ms: number;
  p99Ms: number;
  /** Who has the last event. */
  listeners: number;
}

interface Listener {
  clientId: string;
  socket: Socket;
  /** The end of what came, where the last event stands. */
  tail: string;
}

const patienceMs = 120_000;
const dialsAtOnce = 200;
/** One loopback address has 28,000 ports. */
const sourceAddresses = 8;
const tailLength = 200;
const padding = 'x'.repeat(120);

const listeners = new Set<Listener>();
const modules = new Map<string, WebSocket>();
let delays = newHistogram();
let dialled = 0;

answerParent('', { join, listen, send, heard, leave });

/** Connects a world. Resolves when it may send events. */
async function join({
  url,
  clientId,
  token,
}: {
  url: string;
  clientId: string;
  token: string;
}): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/relay?id=${clientId}&worldId=w`, {
    perMessageDeflate: false,
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => data.includes('auth-success') && resolve());
  });
  modules.set(clientId, socket);
}

/** Opens so many streams. Resolves when each of them has begun. */
async function listen({ count, ...request }: ListenRequest): Promise<void> {
  for (let opened = 0; opened < count; opened += dialsAtOnce) {
    await Promise.all(Array.from({ length: Math.min(dialsAtOnce, count - opened) }, () => openOne(request)));
  }
}

async function openOne({ url, clientId, apiKey }: Omit<ListenRequest, 'count'>): Promise<void> {
  const localAddress = `127.0.0.${1 + (dialled++ % sourceAddresses)}`;
  const socket = connectTcp({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
  const listener: Listener = { clientId, socket, tail: '' };
  socket.write(
    `GET /hooks/subscribe?clientId=${clientId} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n\r\n`,
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a stream was refused: ${listener.tail}`)));
    socket.on('data', (bytes) => {
      if (!listeners.has(listener) && bytes.includes('event: connected')) {
        listeners.add(listener);
        socket.once('close', () => listeners.delete(listener));
        resolve();
      }
      hear(listener, bytes);
    });
  });
}

function hear(listener: Listener, bytes: Buffer): void {
  const text = bytes.toString('latin1');
  // An event that is cut in two is timed by nobody; few are.
  for (const [, at] of text.matchAll(/"sentAt":([\d.]+)/g)) {
    delays.recordValue(Math.max(1, Math.round((now() - Number(at)) * 1_000)));
  }
  listener.tail = (listener.tail + text).slice(-tailLength);
}

/** Sends events when they are due, however long their way takes. Resolves when every open listener has the last. */
async function send({ clientId, from, events, perSecond }: SendRequest): Promise<Heard> {
  const socket = modules.get(clientId);
  delays = newHistogram();
  const startedAt = performance.now();
  for (let sent = 0; sent < events;) {
    const due = Math.min(events, ((performance.now() - startedAt) / 1_000) * perSecond + 1);
    for (; sent < due - 1e-9 && sent < events; sent++) {
      const text = eventText(from + sent, now());
      socket?.send(`{"type":"hook-event","data":${text}}`);
    }
    await delay(1);
  }
  await heard({ clientId, number: from + events - 1 });
  const ofClient = [...listeners].filter((one) => one.clientId === clientId);
  return {
    p50Ms: delays.getValueAtPercentile(50) / 1_000,
    p99Ms: delays.getValueAtPercentile(99) / 1_000,
    listeners: ofClient.length,
  };
}

/** Resolves when every listener of a world has its event of this number. */
async function heard({ clientId, number }: { clientId: string; number: number }): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const mark = `"number":${number}}`;
  const isLate = (one: Listener): boolean => one.clientId === clientId && !one.tail.includes(mark);
  while ([...listeners].some(isLate)) {
    if (performance.now() > deadline) throw new Error(`event ${number} did not come to all`);
    await delay(2);
  }
}

function leave(): void {
  for (const { socket } of listeners) socket.removeAllListeners('close').destroy();
  listeners.clear();
  for (const socket of modules.values()) socket.close();
  modules.clear();
}

const eventText = (number: number, sentAt: number): string =>
  `{"hook":"updateActor","args":[],"sentAt":${sentAt},"text":"${padding}","number":${number}}`;

const now = (): number => performance.timeOrigin + performance.now();

function newHistogram() {
  return build({ highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: 3 });
}
