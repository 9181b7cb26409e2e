import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A masked text frame that says `{}`: no auth frame, so it is refused. */
export const refusedFrame = '\x81\x82\0\0\0\0{}';

/** A bare connection that was upgraded at `/relay`; what it writes are bytes of frames, and it answers nothing. */
export async function connectStranger(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'GET /relay?id=stranger HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(socket, 'data');
  return socket;
}
