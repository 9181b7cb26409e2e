import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clearProfiles, makeProfile } from './profiles.ts';

function useFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-profiles-'));
  vi.spyOn(os, 'tmpdir').mockReturnValue(folder);
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('what killed hosts left behind is deleted, and nothing of others', async () => {
  const folder = useFolder();
  const { pid: dead } = spawnSync('true');
  const make = (name: string) => {
    mkdirSync(path.join(folder, name, 'Default'), { recursive: true });
    writeFileSync(path.join(folder, name, 'Default', 'Cookies'), 'secret');
    return path.join(folder, name);
  };
  const left = [dead, process.pid].map((pid) => make(`relay-session-${pid}-aBcDeF`));
  const others = [`relay-session-${process.ppid}-aBcDeF`, 'relay-session-x', 'another'].map(make);
  const kept = [await makeProfile(), ...others];
  expect(await clearProfiles()).toBe(2);
  expect(left.filter((one) => existsSync(one))).toEqual([]);
  expect(kept.filter((one) => !existsSync(one))).toEqual([]);
});
