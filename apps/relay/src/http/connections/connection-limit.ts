import { addressPrefixes, Budget, parseIpAllowlist } from '@tabletop-relay/kit';
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
  const open = new Budget(maxConnections);
  let isScarce = false;
  let loggedAt = -Infinity;

  function refuse(socket: Socket, reason: 'address' | 'total', setting: string): void {
    metrics.connectionsRefused.labels(reason).inc();
    if (performance.now() - loggedAt > tellingMs) {
      loggedAt = performance.now();
      log.warn(
        { address: socket.remoteAddress, open: open.total, setting },
        'connections are refused: too many are open',
      );
    }
    socket.destroy();
  }

  /** Idle connections are kept for long where there is room, and are closed where there is little. */
  function keepIdle(server: Server): void {
    const wasScarce = isScarce;
    isScarce = open.total > maxConnections * scarceFrom;
    if (isScarce === wasScarce) return;
    server.keepAliveTimeout = isScarce ? Math.min(shortKeepAliveMs, keepAliveMs) : keepAliveMs;
    if (isScarce) server.closeIdleConnections();
  }

  function take(server: Server, socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const prefixes = isProxy(remoteAddress) ? [] : addressPrefixes(remoteAddress);
    const owners = prefixes.map(({ block, times }) => ({
      of: block,
      most: maxConnectionsPerAddress * times,
    }));
    const leave = open.take(owners);
    if (!leave) {
      return open.lacking(owners) === 'all'
        ? refuse(socket, 'total', 'MAX_CONNECTIONS')
        : refuse(socket, 'address', 'MAX_CONNECTIONS_PER_ADDRESS');
    }
    keepIdle(server);
    socket.once('close', () => {
      leave();
      keepIdle(server);
    });
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
