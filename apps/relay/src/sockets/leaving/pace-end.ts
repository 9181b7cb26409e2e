import type { Socket } from 'node:net';
import { createSlices } from '../admission/slices.ts';

/** Puts what the end of a connection costs into slices. To be called once for each socket, after its upgrade. */
export type PaceEnd = (transport: Socket) => void;

/**
 * A balancer that restarts ends the connections of all its worlds in the same moment. Closing one takes longer than ending
 * it, so all of them would be closed in one turn of the event loop, and no call be served meanwhile.
 */
export function createPaceEnd(): PaceEnd {
  const slices = createSlices();
  return (transport) => {
    // The listener that ws has added.
    const close = transport.listeners('end').at(-1) as (() => void) | undefined;
    if (!close) return;
    transport.off('end', close);
    transport.once('end', () => slices.add(() => transport.destroyed || close.call(transport)));
  };
}
