import { vi } from 'vitest';

/** A socket whose other end is the test. */
export class FakeSocket extends EventTarget {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: Record<string, unknown>[] = [];
  readonly closed = vi.fn<(code?: number) => void>();

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code?: number): void {
    this.closed(code);
  }

  opens(): void {
    this.dispatchEvent(new Event('open'));
  }

  hears(data: unknown): void {
    const text = typeof data === 'string' || data instanceof Uint8Array ? data : JSON.stringify(data);
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  closes(code: number, reason = ''): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }

  /** Opens, and the relay lets the module in. */
  isLetIn(instanceId = 'one'): void {
    this.opens();
    this.hears({ type: 'auth-success', clientId: 'c', instanceId, heartbeatMs: 300_000 });
  }
}

/** The platform's WebSocket, and the sockets that were opened by it. */
export function createFakeWebSocket() {
  const sockets: FakeSocket[] = [];
  // oxlint-disable-next-line prefer-arrow-callback -- It is called with `new`.
  const WebSocket = vi.fn<(url: string) => FakeSocket>(function () {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  }) as unknown as typeof globalThis.WebSocket;
  return { WebSocket, sockets };
}
