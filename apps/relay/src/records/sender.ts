import { serverName } from '@tabletop-relay/contract';
import { normalizeAddress, toPlainText } from '@tabletop-relay/kit';
import type { FastifyRequest } from 'fastify';
import type { Sender } from '../endpoint-handler.ts';

/** Address and browser of a request; the address is Fastify's, which believes only trusted proxies. */
export function senderOf(request: FastifyRequest): Sender {
  return {
    ipAddress: normalizeAddress(request.ip),
    userAgent: toPlainText((request.headers['user-agent'] ?? '').slice(0, 500)),
  };
}

/** The part of an audit record that tells who did it. */
export function auditOf(sender: Sender) {
  return { ipAddress: sender.ipAddress, userAgent: sender.userAgent };
}

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Electron\//, 'Desktop app'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/node/i, serverName],
];
const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox on Linux": the name that a paired browser gets. */
export function nameOfBrowser(userAgent: string): string {
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers) ?? 'Browser';
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}
