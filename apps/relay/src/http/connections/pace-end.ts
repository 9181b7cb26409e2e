import type { Socket } from 'node:net';
import { createSlices } from '../../sockets/admission/slices.ts';

/** What Node calls with what it has read, and with nothing at the end or after an error. */
interface Handle {
  onread(this: Handle, bytes: ArrayBuffer | undefined): void;
}

/**
 * A balancer that restarts ends the connections of all its worlds in the same moment, and whoever floods hangs up on hundreds of requests
 * at once. Node reads all of these ends in one turn of the event loop, and no call would be served until all are handled. So Node is told
 * of them a few at a time; until then `readable` alone says that a connection has ended. What this returns is to be called once for each
 * socket, when Node has its listener for what it reads.
 */
export function createPaceEnd(): (transport: Socket) => void {
  const slices = createSlices();
  return (transport) => {
    const { _handle: handle } = transport as unknown as { _handle: Handle };
    const { onread } = handle;
    handle.onread = function (bytes) {
      if (bytes) return onread.call(this, bytes);
      transport.readable = false;
      slices.add(() => {
        if (transport.destroyed) return;
        transport.push(null);
        // So the end is told although nobody reads at the moment.
        transport.read(0);
      });
    };
  };
}
