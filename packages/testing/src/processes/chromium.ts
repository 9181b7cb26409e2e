import { findChromium } from '@tabletop-relay/chromium';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Launches a headless Chromium: the machine's own (`CHROMIUM_PATH`, PATH), else one from npm. The caller closes it. */
export async function launchChromium({ args = [] }: { args?: string[] } = {}): Promise<Browser> {
  const { command, env } = await findChromium();
  return chromium.launch({
    executablePath: command,
    args: [...flags, ...args],
    env: { ...process.env, ...env },
  });
}
