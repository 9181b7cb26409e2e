import { AbstractConnector } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import net from 'node:net';
import type { NetConnectOpts } from 'node:net';
import tls from 'node:tls';
import { createBlobFilter } from './blob-filter.ts';
import type { BlobTaker } from './blob-filter.ts';

const readBytes = 64 * 1024;

/**
 * Dials Redis as ioredis does, but reads into one buffer again and again, and gives large blobs to a taker of each dial. Otherwise
 * each read would take 64 KiB of new memory, and each blob as much again as it has bytes.
 */
export function createBlobConnector(leastBytes: number, createTaker: () => BlobTaker) {
  return class BlobConnector extends AbstractConnector {
    readonly #options: RedisOptions;

    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0);
      this.#options = options as RedisOptions;
    }

    async connect(): Promise<net.Socket> {
      this.connecting = true;
      // As in ioredis: whoever disconnects at once has no socket to end yet.
      await Promise.resolve();
      if (!this.connecting) throw new Error('Connection is closed.');
      const filter = createBlobFilter(leastBytes, createTaker(), (rest) => stream.emit('data', rest));
      const buffer = Buffer.allocUnsafeSlow(readBytes);
      const onread = {
        buffer,
        callback: (length: number) => {
          filter(buffer.subarray(0, length));
          return true;
        },
      };
      const { host, port, family, path, tls: secure } = this.#options;
      const where = { ...(path === undefined ? { host, port, family } : { path }), onread } as NetConnectOpts;
      const stream: net.Socket = secure ? tls.connect({ ...where, ...secure }) : net.connect(where);
      this.stream = stream;
      stream.once('error', (error) => (this.firstError = error));
      return stream;
    }
  };
}
