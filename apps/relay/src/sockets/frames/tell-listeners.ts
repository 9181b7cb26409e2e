import type { Streams } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { Channel, RelayFrame } from '@tabletop-relay/contract';
import type { ConnectedClients } from '../connected-clients.ts';

/** Tells modules which of their channels somebody listens to, so that they send nothing in vain. */
export function tellListeners(
  streams: Pick<Streams, 'onListeners'>,
  clients: Pick<ConnectedClients, 'byConn'>,
): () => void {
  return streams.onListeners(({ conn, channel, count }) => {
    const { wire } = channels[channel as Channel];
    const frame: RelayFrame = { type: 'event-subscription-update', channel: wire, count };
    const socket = clients.byConn(conn);
    // Sent whatever waits already: it comes only once for each change, and a module that missed it would stay silent.
    if (socket?.isOpen) socket.sendText(JSON.stringify(frame));
  });
}
