import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { storable } from '@tabletop-relay/database';
import { captureConsole } from './watch-page.ts';

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
