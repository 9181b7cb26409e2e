import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDashboard } from './dashboard.ts';
import type { Person, TestDashboard } from './dashboard.ts';
import { faultsIn, widthBeyondPage } from './faults.ts';

let dashboard: TestDashboard;
let person: Person;

beforeAll(async () => {
  dashboard = await startDashboard();
  person = await dashboard.newPerson();
  await person.register();
});
afterAll(() => dashboard.stop());

test('a person gets lines with a key that reads, and nothing else', async () => {
  const { page, trespasses } = person;
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Connect an assistant' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect an assistant' }).waitFor();
  await page.getByText('Listen in', { exact: true }).click();
  await page.getByText('It hears whispers and hidden rolls too.').waitFor();
  await page.getByText('Run the table', { exact: true }).click();
  await page.getByText('A text on a sheet could talk it').waitFor();
  await page.getByText('Ask', { exact: true }).click();
  await page.getByText('Cursor', { exact: true }).click();
  await page.getByRole('button', { name: 'Create a key for it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect Cursor' }).waitFor();
  const lines = JSON.parse(await page.locator('.snippet code').innerText()) as {
    mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
  };
  const { url, headers } = lines.mcpServers['tabletop-relay']!;
  expect(url).toBe(`${dashboard.url}/mcp?readonly=1`);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const listed = await response.text();
  expect(listed).toContain('"name":"search"');
  expect(listed).not.toContain('"name":"roll"');
  expect(await faultsIn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => widthBeyondPage(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Cursor: Ask').first().waitFor();
  expect(trespasses).toEqual([]);
});

test('guides are Markdown for who asks for it, and pages for browsers; the list is there', async () => {
  const read = async (path: string, accept?: string) => {
    const response = await fetch(dashboard.url + path, accept ? { headers: { accept } } : {});
    const { headers, status } = response;
    return {
      status,
      type: headers.get('content-type'),
      vary: headers.get('vary'),
      text: await response.text(),
    };
  };
  for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1']) {
    const guide = await read('/guides/assistants', accept);
    expect(guide).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' });
    expect(guide.text).toMatch(/^# Assistants\n/);
    expect(guide.text).toContain('](/guides/integrations#');
    expect(guide.vary?.toLowerCase()).toContain('accept');
  }
  for (const accept of [undefined, 'text/html, */*', 'text/html, text/markdown;q=0.5']) {
    const page = await read('/guides/assistants', accept);
    expect(page.type).toBe('text/html; charset=utf-8');
    expect(page.vary?.toLowerCase().split(/, */)).toContain('accept');
  }
  const list = await read('/llms.txt');
  expect(list).toMatchObject({ status: 200, type: expect.stringContaining('text/plain') as unknown });
  for (const [, path = ''] of list.text.matchAll(/\]\((\/guides\/[\w-]+)\)/g))
    expect((await read(path, 'text/markdown')).status, path).toBe(200);
});
