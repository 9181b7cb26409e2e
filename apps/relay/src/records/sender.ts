import { serverName } from '@tabletop-relay/contract';
import type { Sender } from '../endpoint-handler.ts';

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
