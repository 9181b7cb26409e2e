import { launchChromium } from '@tabletop-relay/testing';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { unpackChromium } from './index.ts';

const page = 'data:text/html,<title>?</title><script>document.title = 6 * 7</script>';

test('the browser that tests get runs scripts', async () => {
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    await expect.poll(() => tab.title()).toBe('42');
  } finally {
    await browser.close();
  }
});

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'a machine without a browser gets one from npm',
  async () => {
    const { command, env } = await unpackChromium();
    const browser = await chromium.launch({ executablePath: command, args: ['--no-sandbox'], env });
    try {
      const tab = await browser.newPage();
      await tab.goto(page);
      await expect.poll(() => tab.title()).toBe('42');
    } finally {
      await browser.close();
    }
  },
);
