import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressPrefixes, parseIpAllowlist } from '../../limits/ip-allowlist.ts';
import type { AddressPrefix } from '../../limits/ip-allowlist.ts';
import type { HttpSettings } from '../http-settings.ts';
import type { RelayMetrics } from '../../metrics.ts';

export interface ConnectionLimitDeps {
  config: Pick<HttpSettings, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>;
  log: Logger;
  metrics: Pick<RelayMetrics, 'connectionsRefused'>;
}

/** A flood is told once in this time. */
const tellingMs = 60_000;

/**
 * Closes a new connection at once where too many are open already: of its address (v6: of its /64, or four times as
 * many of its /48), or in total. Sockets of modules count too. Behind a trusted proxy all come from one address, so
 * its connections count in total only.
 */
export function createConnectionLimit({ config, log, metrics }: ConnectionLimitDeps) {
  const { maxConnections, maxConnectionsPerAddress } = config;
  const isProxy = proxyMatcher(config.trustedProxies);
  const byPrefix = new Map<string, number>();
  let open = 0;
  let toldAt = -Infinity;

  function refuse(socket: Socket, reason: 'address' | 'total', setting: string): void {
    metrics.connectionsRefused.labels(reason).inc();
    if (performance.now() - toldAt > tellingMs) {
      toldAt = performance.now();
      log.warn(
        { address: socket.remoteAddress, open, setting },
        'connections are refused: too many are open',
      );
    }
    socket.destroy();
  }

  function take(socket: Socket): void {
    if (open >= maxConnections) return refuse(socket, 'total', 'MAX_CONNECTIONS');
    const { remoteAddress = '' } = socket;
    const prefixes = isProxy(remoteAddress) ? [] : addressPrefixes(remoteAddress);
    const isFull = ({ block, times }: AddressPrefix) =>
      (byPrefix.get(block) ?? 0) >= maxConnectionsPerAddress * times;
    if (prefixes.some(isFull)) return refuse(socket, 'address', 'MAX_CONNECTIONS_PER_ADDRESS');
    const count = (change: 1 | -1) => {
      open += change;
      for (const { block } of prefixes) {
        const left = (byPrefix.get(block) ?? 0) + change;
        if (left > 0) byPrefix.set(block, left);
        else byPrefix.delete(block);
      }
    };
    count(1);
    socket.once('close', () => count(-1));
  }

  return {
    /** To be called before the server listens. */
    watch(server: Server): void {
      // First of all listeners: the HTTP parser then finds it closed.
      server.prependListener('connection', take);
    },
  };
}

function proxyMatcher(trustedProxies: readonly string[]): (address: string) => boolean {
  // An empty allow list allows everybody.
  if (trustedProxies.length === 0) return () => false;
  const list = parseIpAllowlist(trustedProxies.join(','));
  return 'badEntry' in list ? () => false : (address) => list.allows(address);
}
