import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileStorage } from './file-storage.ts';
import { memoryStorage, webStorage } from './storage.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'module-sdk-'))));
afterAll(() => rm(folder, { recursive: true }));

function area() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe.each([
  ['memory', () => memoryStorage()],
  ['web', () => webStorage(area(), 'w')],
  ['file', () => fileStorage(join(folder, `${Math.random()}`, 'pairing.json'))],
])('%s storage', (_, make) => {
  test('changes the names given, keeps the others and forgets one', async () => {
    const storage = make();
    expect((await storage.load()).connectionToken).toBeUndefined();
    await storage.save({ clientId: 'c', pairedRelayUrl: 'wss://r', connectionToken: 't' });
    await storage.save({ connectionToken: undefined });
    expect(await storage.load()).toMatchObject({ clientId: 'c', pairedRelayUrl: 'wss://r' });
    expect((await storage.load()).connectionToken).toBeUndefined();
  });
});

test('two worlds in one browser do not share a pairing', async () => {
  const shared = area();
  await webStorage(shared, 'one').save({ clientId: 'c1' });
  expect((await webStorage(shared, 'two').load()).clientId).toBeUndefined();
});

describe('a pairing file', () => {
  test('may be read by its owner alone and leaves no draft', async () => {
    const path = join(folder, 'private', 'pairing.json');
    await fileStorage(path).save({ connectionToken: 't' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'private'))).toEqual(['pairing.json']);
  });

  test('holds every one of many saves at once', async () => {
    const path = join(folder, 'busy.json');
    const storage = fileStorage(path);
    const saves = Array.from({ length: 50 }, (_, n) => storage.save({ clientId: `c${n}` }));
    await Promise.all([...saves, storage.save({ connectionToken: 't' })]);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ clientId: 'c49', connectionToken: 't' });
  });

  test('that is not JSON is reported, not overwritten', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{');
    await expect(fileStorage(path).load()).rejects.toThrow(/not JSON/);
    await expect(fileStorage(path).save({ clientId: 'c' })).rejects.toThrow(/not JSON/);
    expect(await readFile(path, 'utf8')).toBe('{');
  });
});
