import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A bare connection: what it is sent is kept, what it sends is anything. */
export interface RawConnection {
  socket: Socket;
  /** All that came so far. */
  received(): string;
  /** The status of its first answer, once that is there. */
  status(): Promise<number>;
  closed: Promise<void>;
}

export function openRaw(url: string, localAddress = '127.0.0.1'): RawConnection {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    received: () => text,
    async status() {
      while (!text.includes('\r\n\r\n') && !socket.destroyed) {
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      }
      return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
    },
    closed,
  };
}

/** The head of a request whose body is still to come. */
export function headOf(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
