import { existsSync } from 'node:fs';
import { onPath } from './on-path.ts';
import { unpackChromium } from './unpack-chromium.ts';
import type { Chromium } from './unpack-chromium.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium at `given` (CHROMIUM_PATH), else the system's, else one from npm. Rejects with how to get one. */
export async function findChromium(given = process.env['CHROMIUM_PATH']): Promise<Chromium> {
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH is ${given}, and there is no such file`);
  const command = given || names.map(onPath).find((found) => found !== undefined);
  return command === undefined ? await unpackChromium() : { command, env: {} };
}
