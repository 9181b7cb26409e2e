import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';

/** A message as a program reads it. */
export interface Told extends Record<string, unknown> {
  type: string;
}

/** A caller’s socket in a test. */
export interface Caller {
  ws: WebSocket;
  /** All that came, in order. */
  told: Told[];
  send(message: object | string): void;
  /** The next message, or the next of this type; those before it are passed over. */
  next(type?: string): Promise<Told>;
  /** Sends a message with a `requestId` of its own, and resolves with its answer. */
  ask(message: object): Promise<Told>;
  /** Code and words by which the relay ended it. */
  closed: Promise<{ code: number; reason: string }>;
  close(): Promise<unknown>;
}

interface CallerOptions extends ClientOptions {
  /** Sent as the first message. */
  token?: string;
  query?: string;
}

let asked = 0;

/** Opens `/ws/api`; with a token it waits for nothing more than the handshake. Rejects where that is refused. */
export async function openCaller(
  url: string,
  { token, query = '', ...options }: CallerOptions = {},
): Promise<Caller> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws/api${query}`, options);
  const told: Told[] = [];
  const waiting = new Set<(message: Told) => void>();
  let read = 0;
  /** The answers that `ask` has given. */
  const taken = new Set<Told>();
  ws.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Told;
    told.push(message);
    for (const take of waiting) take(message);
  });
  const { promise: closed, resolve: end } = Promise.withResolvers<{ code: number; reason: string }>();
  ws.once('close', (code, reason) => end({ code, reason: reason.toString() }));
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
    ws.once('unexpected-response', (_request, response) => {
      reject(Object.assign(new Error(`refused: ${response.statusCode}`), { status: response.statusCode }));
      response.destroy();
    });
  });
  ws.on('error', () => {});
  const send = (message: object | string) =>
    ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  if (token !== undefined) send({ type: 'auth', token });

  function find(matches: (message: Told) => boolean): Promise<Told> {
    const found = Promise.withResolvers<Told>();
    const take = (message: Told) => {
      if (!matches(message)) return;
      waiting.delete(take);
      found.resolve(message);
    };
    waiting.add(take);
    void closed.then(({ code, reason }) => found.reject(new Error(`closed: ${code} ${reason}`)));
    found.promise.catch(() => {});
    return found.promise;
  }

  return {
    ws,
    told,
    send,
    closed,
    async next(type) {
      const index = told.findIndex(
        (message, at) => at >= read && !taken.has(message) && (type === undefined || message.type === type),
      );
      const message =
        index === -1 ? await find((one) => type === undefined || one.type === type) : told[index];
      read = told.indexOf(message as Told) + 1;
      return message as Told;
    },
    async ask(message) {
      const requestId = `ask-${++asked}`;
      const found = find((one) => one['requestId'] === requestId);
      send({ requestId, ...message });
      const answer = await found;
      taken.add(answer);
      return answer;
    },
    close() {
      ws.close();
      return closed;
    },
  };
}

/** Opens `/ws/api` and waits until the key is accepted. */
export async function connectCaller(
  url: string,
  token: string,
  options: CallerOptions = {},
): Promise<Caller> {
  const caller = await openCaller(url, { ...options, token });
  await caller.next('connected');
  return caller;
}
