import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createBystander } from './bystander.ts';
import type { Bystander } from './bystander.ts';
import { startInstances } from './instances.ts';
import type { TestInstances } from './instances.ts';
import { send } from './problem.ts';

export const maxBodyBytes = 20_000;
export const jsonHeaders = { 'content-type': 'application/json' };
export const goodCheck = { actorUuid: 'Actor.a', skill: 'prc' };

export interface SkillCheck {
  query?: string;
  body?: string | object;
  headers?: Record<string, string>;
}

/** One instance, and a world of an account on it that answers each command with empty data. */
export interface RelayWithWorld {
  cluster: TestInstances;
  url: string;
  account: TestAccount;
  key: string;
  pairing: Pairing;
  module: FakeModule;
  /** `POST /sys5e/skill-check`, right but for what is given. */
  skillCheck(check?: SkillCheck): ReturnType<typeof send>;
}

/**
 * Starts one for all tests of a file; its parts are there as soon as they run. During each test a call of another account
 * is open, which must be answered after it.
 */
export function startRelayWithWorld(): RelayWithWorld {
  const relay = { skillCheck: (check) => sendSkillCheck(relay, check) } as RelayWithWorld;
  let bystander: Bystander;
  beforeAll(async () => {
    relay.cluster = await startInstances({ config: { maxBodyBytes } });
    relay.url = relay.cluster.instances[0].url;
    relay.account = await createAccount(relay.url);
    relay.key = await relay.account.createKey();
    relay.pairing = await relay.account.pair();
    relay.module = await connectModule(relay.url, relay.pairing, () => ({ data: {} }));
    bystander = await createBystander(relay.url);
  });
  afterAll(async () => {
    await bystander.close();
    await relay.module.close();
    await relay.cluster.stop();
  });
  beforeEach(() => bystander.begin());
  afterEach(() => bystander.expectUnharmed());
  return relay;
}

function sendSkillCheck({ url, key, pairing }: RelayWithWorld, check: SkillCheck = {}) {
  const { query = `clientId=${pairing.clientId}`, body = goodCheck, headers = {} } = check;
  return send('POST', `${url}/sys5e/skill-check?${query}`, {
    headers: { ...jsonHeaders, 'x-api-key': key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
