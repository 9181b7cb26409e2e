import { signal } from '@preact/signals';
import type { WorldAction } from '../world/actions.ts';
import type { LivePageMessage, LiveWorldMessage } from '../world/live.ts';
import type { WorldState } from '../world/state.ts';
import type { LinkStatus, RelayState, WorldLink } from './link.ts';

const firstDelayMs = 500;
const longestDelayMs = 10_000;

/** The link to a world that runs in Node, by WebSocket; it comes back by itself for as long as the page is open. */
export function openLiveLink(url: URL): WorldLink {
  const state = signal<WorldState | null>(null);
  const status = signal<LinkStatus>({ kind: 'connecting' });
  const relay = signal<RelayState | null>(null);
  const notice = signal<string | null>(null);
  let socket: WebSocket | undefined;
  let failures = 0;
  let lastId = 0;

  const receive = (message: LiveWorldMessage) => {
    if ('state' in message) {
      state.value = message.state;
      status.value = { kind: 'live' };
      failures = 0;
    } else if ('relay' in message) relay.value = message.relay;
    else if ('refused' in message) notice.value = message.refused.message;
  };

  const connect = () => {
    socket = new WebSocket(url);
    socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as LiveWorldMessage));
    socket.addEventListener('close', () => {
      if (status.value.kind !== 'stale' && state.value) status.value = { kind: 'stale', since: Date.now() };
      relay.value = null;
      setTimeout(connect, Math.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** failures));
      failures += 1;
    });
  };
  connect();

  return {
    state,
    status,
    relay,
    notice,
    perform(action: WorldAction) {
      if (status.value.kind !== 'live') return;
      notice.value = null;
      lastId += 1;
      socket?.send(JSON.stringify({ id: lastId, action } satisfies LivePageMessage));
    },
  };
}
