import type { Instance } from '@tabletop-relay/cluster';

/** What the cluster asks of an instance, for tests of parts that hold no sockets: what is claimed there lives. */
export const noSockets: Instance = {
  deliver: () => {
    throw new Error('no calls here');
  },
  isArriving: () => false,
  probe: () => Promise.resolve(true),
  evict: () => {},
  promote: () => {},
  claims: () => [],
};
