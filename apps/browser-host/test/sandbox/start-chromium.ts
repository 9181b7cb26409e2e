import { createBrowsers } from '../../src/browser/browser.ts';

/** Starts the browser as a host does it, tells its log line by line, and stays until it is ended. */
const warn = (_fields: object, text: string) => process.stdout.write(`warn ${text}\n`);
const start = createBrowsers({
  chromiumPath: process.env['CHROMIUM_PATH'],
  memoryMb: 512,
  requireSandbox: process.argv.includes('--require-sandbox'),
  log: { info: () => {}, warn } as never,
});
const { browser } = await start();
const page = await browser.newPage();
await page.goto('data:text/html,<title>up</title>');
process.stdout.write(`${await page.title()}\n`);
if (process.argv.includes('--twice')) await start();
