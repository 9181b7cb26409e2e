import { createMemoryCluster, createMemoryHub } from '@tabletop-relay/cluster';
import { expect, it, vi } from 'vitest';
import type { Principal } from '../../src/keys/authenticate.ts';
import { noPauses } from '../../src/pauses/pauses.ts';
import { createStreamTickets } from '../../src/streams/stream-tickets.ts';

const principal = {
  scopes: new Set(['events:subscribe']),
  clientIds: null,
  pauses: noPauses,
} as unknown as Principal;
const subscription = { channel: 'rolls', clientId: 'world', filters: {} } as const;

function setUp() {
  const cluster = createMemoryCluster({ instanceId: 'one', hub: createMemoryHub() });
  const tickets = createStreamTickets({
    cluster,
    keys: {
      hashOf: () => 'hash',
      find: () => Promise.resolve(principal),
      renew: () => Promise.resolve(principal),
    },
    unknownSecrets: { max: 10, waitS: () => 0, count: () => Promise.resolve() },
  });
  const use = (ticket: string, shown = '') =>
    tickets.use({ ticket, channel: 'rolls', shown, address: '127.0.0.1' });
  return { cluster, tickets, use };
}

it('of uses at once the latest alone is not taken over, in whatever order they are told of', async () => {
  const { tickets, use } = setUp();
  const ticket = await tickets.issue(principal, subscription);
  const { proof, endOpening } = await use(ticket);
  endOpening();
  const uses = await Promise.all(Array.from({ length: 20 }, () => use(ticket, proof)));
  await vi.waitFor(() => expect(uses.filter((one) => !one.isTakenOver())).toHaveLength(1));
  const [stays] = uses.filter((one) => !one.isTakenOver());
  expect(stays?.turn).toBe(Math.max(...uses.map(({ turn }) => turn)));
});

it('a later use of which the word was lost is told when the ticket is kept', async () => {
  const { cluster, tickets, use } = setUp();
  const ticket = await tickets.issue(principal, subscription);
  const heard = vi.fn<(used: { id: string; turn: number }) => void>();
  const { id, proof } = await use(ticket);
  vi.spyOn(cluster.broadcast, 'publish').mockResolvedValue();
  await use(ticket, proof);
  tickets.onTakeOver(heard);
  tickets.keep([id]);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ id, turn: 2 }));
});
