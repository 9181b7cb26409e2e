import { createTestDatabase } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeFlows } from '../k8s/policies.ts';
import { assembleImages } from './assemble.ts';
import type { Assembled } from './assemble.ts';
import { startDeployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { tryAll, tryToStop } from '../tries/tries.ts';

/** A package manager and browsers, on a machine that may be busy. */
const patienceMs = 240_000;

let assembled: Assembled;
let database: TestDatabase;
let deployment: Deployment;
beforeAll(async () => {
  // What each run of all tests needs: `pnpm acceptance` has the browser host too, and a rolling restart.
  [assembled, database] = await Promise.all([assembleImages(['relay', 'worker']), createTestDatabase()]);
  deployment = await startDeployment({ database, folders: assembled.folders, proxy: 'haproxy' });
}, patienceMs);
afterAll(async () => {
  await deployment?.stop();
  await database?.drop();
  await assembled?.remove();
}, patienceMs);

describe('what the images contain', () => {
  it('migrates, and serves callers, worlds, mails and webhooks', { timeout: patienceMs }, async () => {
    expect((await tryAll(deployment)).join('\n')).toBe('');
  });

  it('opened what the network policies allow, and each way that they allow', () => {
    expect(judgeFlows(deployment.outside.flows(), ['relay', 'worker', 'migrate'])).toEqual([]);
  });

  it('ends at SIGTERM by itself', { timeout: patienceMs }, async () => {
    expect((await tryToStop(deployment)).join('\n')).toBe('');
  });
});
