import { errors } from '@tabletop-relay/contract';
import type { Page } from 'playwright-core';
import type { Person } from '../dashboard.ts';

/** The relay refuses what the page asks at this path, as one does that lacks a part for a while. Resolves with what ends it. */
export async function refuse(page: Page, path: string): Promise<() => Promise<void>> {
  const { status, title } = errors.unavailable;
  const isRefused = (url: URL) => url.pathname === path;
  await page.route(isRefused, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      json: { type: '/errors/unavailable', code: 'unavailable', status, title, detail: 'Postgres is away.' },
    }),
  );
  return () => page.unroute(isRefused);
}

/** What such a page says. */
export const refusal = (page: Page) => page.getByRole('alert').getByText('Temporarily unavailable.');

/** What a browser does when the person comes back to the tab. */
export const comeBack = (page: Page) =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

/** The account by another session of its own, as in a browser elsewhere. */
export async function elsewhere(url: string, { email, password }: Person) {
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { sessionToken } = await ask('POST', '/auth/login', { email, password });
  return (method: string, path: string, body?: object) => ask(method, path, body, String(sessionToken));
}
