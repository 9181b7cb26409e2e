import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
      // Another process may have unpacked it first.
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
