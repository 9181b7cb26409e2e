import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { cacheFolder, onPath } from '../stores/debian-program.ts';
import type { Program } from '../stores/debian-program.ts';

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

async function findChromium(): Promise<Program> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const command = process.env['CHROMIUM_PATH'] ?? names.map(onPath).find((found) => found !== undefined);
  return command === undefined ? unpackChromium() : { command, env: {} };
}

/** Runs in a process of its own, because the package changes the environment and unpacks into the temporary folder. */
const unpackScript = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Unpacks a Chromium with its own libraries and fonts, for machines that have none. */
export async function unpackChromium(folder = path.join(cacheFolder, 'chromium')): Promise<Program> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('Chromium is not here: install it, or set CHROMIUM_PATH to its path');
  }
  if (!existsSync(folder)) {
    mkdirSync(path.dirname(folder), { recursive: true });
    const draft = mkdtempSync(`${folder}.`);
    const env = { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
    await promisify(execFile)(process.execPath, ['-e', unpackScript], { env, cwd: import.meta.dirname });
    // The package's own file looks for the fonts in /tmp.
    writeFileSync(path.join(draft, 'fonts', 'fonts.conf'), fontsConf(path.join(folder, 'fonts')));
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another worker may have unpacked it first.
      rmSync(draft, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    command: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
    },
  };
}

function fontsConf(fonts: string): string {
  return `<fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${fonts}/cache</cachedir></fontconfig>`;
}
