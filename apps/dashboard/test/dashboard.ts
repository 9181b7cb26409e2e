import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { ModuleStorage, TabletopModule } from '@tabletop-relay/module-sdk';
import { launchChromium } from '@tabletop-relay/testing';
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startInstances } from '../../relay/test/instances.ts';
import type { TestInstances, TestInstancesOptions } from '../../relay/test/instances.ts';

/** A relay with the built dashboard, and a browser to look at it with. */
export interface TestDashboard {
  url: string;
  instances: TestInstances;
  /** A person with a browser of their own; nothing is stored in it. */
  newPerson(options?: BrowserContextOptions): Promise<Person>;
  stop(): Promise<void>;
}

export interface Person {
  page: Page;
  email: string;
  password: string;
  /** What the page asked of other origins, and what its policy refused: nothing, in a page that is well. */
  trespasses: string[];
  /** Opens an account, and the home of who is signed in; resolves with its master key. */
  register(): Promise<string>;
  /** Opens an account by the form. */
  registerByForm(): Promise<string>;
}

export async function startDashboard(options: TestInstancesOptions = {}): Promise<TestDashboard> {
  const [instances, browser] = await Promise.all([startInstances(options), launchChromium()]);
  const [{ url }] = instances.instances;
  return {
    url,
    instances,
    newPerson: (context) => newPerson(browser, url, context),
    async stop() {
      await browser.close();
      await instances.stop();
    },
  };
}

async function newPerson(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const own = options.baseURL ?? url;
  const context = await browser.newContext({ baseURL: own, ...options });
  const page = await context.newPage();
  const trespasses: string[] = [];
  await context.exposeFunction('tellTrespass', (what: string) => trespasses.push(what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { tellTrespass } = window as unknown as { tellTrespass: (what: string) => void };
      tellTrespass(`${violatedDirective}: ${blockedURI} ${sample}`);
    });
  });
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (!/^(data|blob):$/.test(asked.protocol) && asked.origin !== own) trespasses.push(request.url());
  });
  page.on('pageerror', (error) => trespasses.push(`error: ${error.message}`));
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  const password = `correct horse ${randomBytes(4).toString('hex')}`;
  return {
    page,
    email,
    password,
    trespasses,
    async register() {
      const opened = await context.request.post('/auth/register', { data: { email, password } });
      const { masterKey } = (await opened.json()) as { masterKey: string };
      await page.goto('/dashboard');
      await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
      return masterKey;
    },
    async registerByForm() {
      await page.goto('/dashboard/register');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Open account' }).click();
      const masterKey = await page.locator('.secret-value code').innerText();
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('heading', { name: 'Tonight', exact: true }).waitFor();
      return masterKey;
    },
  };
}

/** Pairs the demo world with the person's account, and connects it. Close it. */
export async function pairDemoWorld(
  { page }: Person,
  url: string,
  world?: World,
  storage?: ModuleStorage,
): Promise<TabletopModule & { clientId: string }> {
  const { origin } = new URL(page.url());
  const made = await page.context().request.post('/auth/pairing-codes', { data: {}, headers: { origin } });
  const { code } = (await made.json()) as { code: string };
  return await connectDemoWorld(url, code, world, storage);
}

/** Pairs the demo world by the code on the person's screen. */
export async function pairByPage({ page }: Person, url: string): Promise<TabletopModule> {
  await page.goto('/dashboard/pair');
  await page.getByRole('button', { name: 'Make a code' }).click();
  // As it is spelled to somebody who hears the page.
  const spelled = await page.locator('.code-value .visually-hidden').innerText();
  return await connectDemoWorld(url, spelled.replaceAll(' ', ''));
}

async function connectDemoWorld(
  url: string,
  code: string,
  world: World = createWorld({ seed: 1 }),
  storage: ModuleStorage = memoryStorage(),
) {
  const module = createWorldModule(world, { url, storage });
  const { clientId } = await module.pair({ relayUrl: url, code });
  await module.connect();
  return Object.assign(module, { clientId });
}
