import { storable } from '@tabletop-relay/database';
import type { ConsoleLevel, ConsoleLine } from '@tabletop-relay/contract';
import { channelNames, channels, consoleLevels } from '@tabletop-relay/contract';
import type { ConsoleMessage, Page, WebSocket } from 'playwright-core';
import type { RunningSession } from '../sessions/running-session.ts';

const maxLines = 200;
const maxLineLength = 500;

/** Keeps the last lines of the page's console from `level` on, and what it is asked to hide out of them. */
export function captureConsole(
  page: Page,
  { level, secrets }: { level: ConsoleLevel | null; secrets: () => readonly string[] },
): { last(): readonly ConsoleLine[]; take(): readonly ConsoleLine[] | undefined } {
  const lines: ConsoleLine[] = [];
  let isChanged = false;

  function add(lineLevel: ConsoleLevel, text: string): void {
    if (level === null || consoleLevels.indexOf(lineLevel) > consoleLevels.indexOf(level)) return;
    const hidden = secrets().reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text);
    lines.push({
      at: new Date().toISOString(),
      level: lineLevel,
      text: storable(hidden, maxLineLength),
    });
    if (lines.length > maxLines) lines.shift();
    isChanged = true;
  }

  page.on('console', (message) => add(levelOf(message), message.text()));
  page.on('pageerror', (error) => add('error', error.message));
  return {
    last: () => lines,
    take() {
      if (!isChanged) return undefined;
      isChanged = false;
      return lines;
    },
  };
}

function levelOf(message: ConsoleMessage): ConsoleLevel {
  const type = message.type();
  if (type === 'error' || type === 'assert') return 'error';
  return type === 'warning' ? 'warn' : 'debug';
}

/** The fields of JSON have no order, so that a short one may stand before the type. */
const eventFrame = new RegExp(
  `^.{0,40}"type":"(?:${channelNames.map((name) => channels[name].frame).join('|')})"`,
  's',
);

/**
 * Watches the module's socket in the page. Calls and events count as activity, its own signs of life do not. Resolves
 * `connected` at the first `auth-success`.
 */
export function watchModule(
  page: Page,
  running: RunningSession,
  relayHost: string,
): { connected: Promise<void> } {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  page.on('websocket', (socket: WebSocket) => {
    if (URL.parse(socket.url())?.host !== relayHost) return;
    socket.on('framereceived', ({ payload }) => {
      const text = String(payload);
      if (text.includes('"auth-success"')) resolve();
      if (text.includes('"requestId"')) running.lastActivityAt = Date.now();
    });
    socket.on('framesent', ({ payload }) => {
      if (eventFrame.test(String(payload).slice(0, 200))) running.lastActivityAt = Date.now();
    });
  });
  return { connected };
}
