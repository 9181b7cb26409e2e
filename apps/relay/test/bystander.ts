import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer } from '@tabletop-relay/testing/scenes';
import { expect } from 'vitest';

/** A world of another account on the same instance, and a call to it that stays open while others misbehave. */
export interface Bystander {
  /** Sends a call that its world does not answer yet. */
  begin(): Promise<void>;
  /** Lets the world answer, and expects the caller to get it. */
  expectUnharmed(): Promise<void>;
  close(): Promise<void>;
}

export async function createBystander(url: string): Promise<Bystander> {
  const account = await createAccount(url);
  const key = await account.createKey();
  const pairing = await account.pair();
  const module: FakeModule = await connectModule(url, pairing);
  let running: { answer: Promise<Answer>; requestId: unknown } | undefined;
  return {
    async begin() {
      const answer = call(url, 'GET', `/players?clientId=${pairing.clientId}`, {
        headers: { 'x-api-key': key },
      });
      running = { answer, requestId: (await module.next('players'))['requestId'] };
    },
    async expectUnharmed() {
      const requestId = running?.requestId;
      module.send({ type: 'players-result', requestId, users: [] });
      expect(await running?.answer).toMatchObject({ status: 200, body: { requestId } });
    },
    close: () => module.close(),
  };
}
