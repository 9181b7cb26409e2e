import type { Socket } from 'node:net';
import { createFairLine } from '../../credentials/lines/fair-line.ts';
import type { FairLine } from '../../credentials/lines/fair-line.ts';

/** So many chunks of at most 64 KiB are read in this time: 12.5 MiB a second, about a hundredth of a processor. */
const chunksPerTurn = 2;
const turnMs = 10;

/** Paused sockets, by the address they come from. It is as long as there are connections. */
const line: FairLine<Socket> = createFairLine<Socket>(Infinity);
let timer: NodeJS.Timeout | undefined;

/**
 * Lets a paused socket read one chunk when it is its turn: addresses take turns, and so do the sockets of each. The
 * event loop of this process has one line for all. Answers how to leave it.
 */
export function waitToRead(address: string, socket: Socket): () => void {
  const path = [{ key: address }];
  line.add(path, socket);
  timer ??= setInterval(readSome, turnMs).unref();
  return () => line.remove(path, socket);
}

function readSome(): void {
  for (let chunk = 0; chunk < chunksPerTurn; chunk++) line.take()?.resume();
  if (line.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
