import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import { connectFakeModule } from '@tabletop-relay/testing';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import type { Pairing } from '@tabletop-relay/testing/scenes';

/** A world that stays connected as its kind of module does. */
export interface KeptWorld {
  readonly clientId: string;
  /** Its module is built on our SDK: it opens its second socket first. Others know no `reconnect` frame. */
  readonly isOnSdk: boolean;
  /** The longest time that it was not connected, since it was for the first time. */
  longestAwayMs(): number;
  /** Whether a call for this actor came to it. */
  sawCall(actorUuid: string): boolean;
  connected: Promise<void>;
  close(): void;
}

type SkillCheck = { actorUuid: string; skill: string };

function startAnswering() {
  const seen = new Set<string>();
  const answerTo = ({ actorUuid, skill }: SkillCheck) => {
    seen.add(actorUuid);
    return { data: { actorUuid, skill, total: 12, formula: '1d20', result: '12' } };
  };
  return { answerTo, sawCall: (actorUuid: string): boolean => seen.has(actorUuid) };
}

export function keepSdkWorld(url: string, { clientId, token }: Pairing): KeptWorld {
  const { answerTo, sawCall } = startAnswering();
  let awaySince: number | undefined;
  let wasConnected = false;
  let longestMs = 0;
  const module = createModule({
    world: {
      worldId: `world-${clientId}`,
      worldTitle: 'A world',
      tabletopVersion: '13',
      systemId: 'dnd5e',
      systemTitle: 'Fifth Edition',
      systemVersion: '5',
    },
    storage: memoryStorage({ clientId, pairedRelayUrl: url, connectionToken: token }),
    url,
    handlers: { 'skill-check': answerTo },
    onStatus: ({ state }) => {
      if (state !== 'connected') {
        awaySince ??= performance.now();
        return;
      }
      if (wasConnected && awaySince !== undefined)
        longestMs = Math.max(longestMs, performance.now() - awaySince);
      wasConnected = true;
      awaySince = undefined;
    },
  });
  return {
    clientId,
    isOnSdk: true,
    sawCall,
    longestAwayMs: () => Math.max(longestMs, awaySince === undefined ? 0 : performance.now() - awaySince),
    connected: module.connect(),
    close: () => module.close(),
  };
}

export function keepBareWorld(url: string, { clientId, token }: Pairing): KeptWorld {
  const { answerTo, sawCall } = startAnswering();
  let isOver = false;
  let current: FakeModule | undefined;
  let longestMs = 0;
  const { promise: connected, resolve } = Promise.withResolvers<void>();

  async function stay(awaySince: number): Promise<void> {
    const answer = (command: WireFrame) => answerTo(command as unknown as SkillCheck);
    current = await connectFakeModule({ url, clientId, token, answer });
    await current.next('auth-success');
    longestMs = Math.max(longestMs, performance.now() - awaySince);
    resolve();
    await current.closed;
  }

  async function keepOn(): Promise<void> {
    let awaySince = performance.now();
    while (!isOver) {
      await stay(awaySince).then(
        () => (awaySince = performance.now()),
        () => {},
      );
      await new Promise((next) => setTimeout(next, Math.random() * 500));
    }
  }

  void keepOn();
  return {
    clientId,
    isOnSdk: false,
    sawCall,
    longestAwayMs: () => longestMs,
    connected,
    close: () => {
      isOver = true;
      current?.cut();
    },
  };
}
