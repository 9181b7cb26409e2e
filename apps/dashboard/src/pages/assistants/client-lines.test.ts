import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import { assistantAddress, assistantClients } from './client-lines.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../../../../docs/assistants.md'), 'utf8');
const section = (name: string) => guide.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
const code = (text: string) => /```\w+\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
/** The guide's JSON is formatted. */
const same = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text);

it.each(assistantClients)('the guide shows the lines of $name', ({ name, lines }) => {
  const shown = code(section(name));
  expect(same(shown)).toEqual(same(lines('https://relay.example/mcp', 'trk_YOUR_KEY')));
});

test('the bridge says where it may go without https', () => {
  const bridge = assistantClients.find(({ name }) => name === 'Claude Desktop')!;
  expect(bridge.lines('http://192.168.1.5:3010/mcp', 'trk_x')).toContain('--allow-http');
  for (const url of ['http://localhost:3010/mcp', 'https://relay.example/mcp'])
    expect(bridge.lines(url, 'trk_x')).not.toContain('--allow-http');
});

test('the address is narrowed by a query', () => {
  expect(assistantAddress('https://r.example', 'readonly=1')).toBe('https://r.example/mcp?readonly=1');
  expect(assistantAddress('https://r.example', '')).toBe('https://r.example/mcp');
});
