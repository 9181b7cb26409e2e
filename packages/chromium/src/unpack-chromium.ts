import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A browser with the environment variables that it needs in addition. */
export interface Chromium {
  command: string;
  env: Record<string, string>;
}

const cacheFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/tabletop-relay/chromium', import.meta.url),
);

/** Runs in a process of its own, because the package changes the environment and unpacks into the temporary folder. */
const unpackScript = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Unpacks the Chromium that npm brought, with its own libraries and fonts, for machines that have none. */
export async function unpackChromium(folder = cacheFolder): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `npm has a Chromium for Linux on x64 alone, and this is ${process.platform} ${process.arch}`,
    );
  }
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    command: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
    },
  };
}

async function unpackInto(folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  const env = { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
  try {
    await promisify(execFile)(process.execPath, ['-e', unpackScript], { env, cwd: import.meta.dirname });
    // The package's own file looks for the fonts in /tmp.
    writeFileSync(path.join(draft, 'fonts', 'fonts.conf'), fontsConf(path.join(folder, 'fonts')));
    // Made for its owner alone; a host may run as another user than who installed.
    for (const made of [draft, path.join(draft, 'chromium')]) chmodSync(made, 0o755);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process may have unpacked it first.
    if (!existsSync(folder)) throw error;
  }
}

function fontsConf(fonts: string): string {
  return `<fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${fonts}/cache</cachedir></fontconfig>`;
}
