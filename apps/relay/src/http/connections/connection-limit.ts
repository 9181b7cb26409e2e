import { addressPrefixes, parseIpAllowlist } from '@tabletop-relay/kit';
import type { AddressPrefix } from '@tabletop-relay/kit';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { HttpSettings } from '../http-settings.ts';
import type { RelayMetrics } from '../../metrics.ts';

export interface ConnectionLimitDeps {
  config: Pick<
    HttpSettings,
    'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies' | 'keepAliveMs'
  >;
  log: Logger;
  metrics: Pick<RelayMetrics, 'connectionsRefused'>;
}

/** A flood is told once in this time. */
const tellingMs = 60_000;

/** Above this part of the connections idle ones make room. */
const scarceFrom = 0.8;
/** How long a connection may then be idle between two requests, and in a drain: most callers ask again sooner. */
export const shortKeepAliveMs = 5_000;

/**
 * Closes a new connection at once where too many are open already: of its address (v6: of its /64, or four times as
 * many of its /48), or in total. Sockets of modules count too. Behind a trusted proxy all come from one address, so
 * its connections count in total only.
 */
export function createConnectionLimit({ config, log, metrics }: ConnectionLimitDeps) {
  const { maxConnections, maxConnectionsPerAddress, keepAliveMs } = config;
  const isProxy = proxyMatcher(config.trustedProxies);
  const byPrefix = new Map<string, number>();
  let open = 0;
  let isScarce = false;
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

  /** Idle connections are kept for long where there is room, and are closed where there is little. */
  function keepIdle(server: Server): void {
    const wasScarce = isScarce;
    isScarce = open > maxConnections * scarceFrom;
    if (isScarce === wasScarce) return;
    server.keepAliveTimeout = isScarce ? Math.min(shortKeepAliveMs, keepAliveMs) : keepAliveMs;
    if (isScarce) server.closeIdleConnections();
  }

  function take(server: Server, socket: Socket): void {
    if (open >= maxConnections) return refuse(socket, 'total', 'MAX_CONNECTIONS');
    const { remoteAddress = '' } = socket;
    const prefixes = isProxy(remoteAddress) ? [] : addressPrefixes(remoteAddress);
    const isFull = ({ block, times }: AddressPrefix) =>
      (byPrefix.get(block) ?? 0) >= maxConnectionsPerAddress * times;
    if (prefixes.some(isFull)) return refuse(socket, 'address', 'MAX_CONNECTIONS_PER_ADDRESS');
    const count = (change: 1 | -1) => {
      open += change;
      keepIdle(server);
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
      server.keepAliveTimeout = keepAliveMs;
      // First of all listeners: the HTTP parser then finds it closed.
      server.prependListener('connection', (socket: Socket) => take(server, socket));
    },
  };
}

function proxyMatcher(trustedProxies: readonly string[]): (address: string) => boolean {
  // An empty allow list allows everybody.
  if (trustedProxies.length === 0) return () => false;
  const list = parseIpAllowlist(trustedProxies.join(','));
  return 'badEntry' in list ? () => false : (address) => list.allows(address);
}
