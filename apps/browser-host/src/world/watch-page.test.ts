import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { channelNames, channels } from '@tabletop-relay/contract';
import { storable } from '@tabletop-relay/database';
import { createRunningSession } from '../sessions/running-session.ts';
import { captureConsole, watchModule } from './watch-page.ts';

/** What is kept of a line that a page writes to its console. */
function kept(text: string): string | undefined {
  const page = new EventEmitter();
  const lines = captureConsole(page as unknown as Page, { level: 'debug', secrets: () => [] });
  page.emit('console', { type: () => 'log', text: () => text });
  return lines.last()[0]?.text;
}

it('a console line that is cut within a character is text that Postgres takes', () => {
  const text = kept(`${'x'.repeat(499)}😀 and more`);
  expect(text).toBe(`${'x'.repeat(499)}\uFFFD`);
});

it('half a character and NUL within a line are taken out', () => {
  expect(kept('a\0b\uD83Dc')).toBe('ab\uFFFDc');
});

it('a text that is cut stays as long as it may be', () => {
  expect(storable('abc', 2)).toBe('ab');
});

/** Whether a session counts as used once the module in its page has sent this. */
function isUsedBy(frame: object): boolean {
  const [page, socket] = [new EventEmitter(), new EventEmitter()];
  const running = createRunningSession({ id: 'session', run: 1 }, 0);
  running.lastActivityAt = 0;
  watchModule(page as unknown as Page, running, 'relay.example');
  page.emit('websocket', Object.assign(socket, { url: () => 'wss://relay.example/relay?token=t' }));
  socket.emit('framesent', { payload: JSON.stringify(frame) });
  return running.lastActivityAt > 0;
}

it.each(channelNames)('an event of the channel %s is use of the session', (name) => {
  const { frame, example } = channels[name];
  expect(isUsedBy({ type: frame, data: example })).toBe(true);
});

it('a sign of life is no use of the session', () => {
  expect(isUsedBy({ type: 'ping' })).toBe(false);
});
