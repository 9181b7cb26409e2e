import type { Operation } from '@tabletop-relay/contract';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { createParseJson } from '../calls/bodies/read-json.ts';
import type { KeysByHash } from '../keys/authenticate.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { createAdmit, createTellRefusal } from './admission.ts';
import type { TellDeps } from './admission.ts';
import { registerCallerSocket } from './caller-routes.ts';
import type { CallerRoutesDeps } from './caller-routes.ts';
import { createCarryOut } from './carry-out.ts';
import type { CarryOutDeps } from './carry-out.ts';
import { createTakeMessage } from './messages.ts';
import { createOpenCallers } from './open-callers.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { SubscriptionsDeps } from './subscriptions.ts';

export interface CallersRoomDeps
  extends
    Omit<CallerRoutesDeps, 'takeMessage' | 'open' | 'keys' | 'nextId' | 'tellRefusal'>,
    Omit<CarryOutDeps, 'admit' | 'tellRefusal'>,
    Omit<SubscriptionsDeps, 'admit' | 'settings'>,
    TellDeps {
  operations: readonly Operation[];
  keys: KeysByHash;
  feed: Pick<CredentialFeed, 'subscribe'>;
}

/** The callers' sockets of one instance. */
export interface CallersRoom {
  /** Adds the WebSocket route of callers. */
  register(app: FastifyInstance): void;
  /** Starts the heartbeat and the watch over keys; returns a function that stops both. */
  start(): () => void;
  /**
   * Tells all sockets to go, and when to come back, spread over this time; each is closed when its calls have ended. Resolves when all
   * have gone, or after `mostMs`.
   */
  letGo(spreadMs: number, mostMs: number): Promise<void>;
}

const soonestReturnMs = 1_000;
const lookMs = 20;

export function createCallersRoom(deps: CallersRoomDeps): CallersRoom {
  const open = createOpenCallers(deps);
  const admit = createAdmit(deps.keys);
  const process = randomBytes(4).toString('hex');
  let messages = 0;
  const nextId = () => `${process}-s${(++messages).toString(36)}`;
  const tellRefusal = createTellRefusal(deps);
  const carryOut = createCarryOut({ ...deps, admit, tellRefusal });
  const subscriptions = createSubscriptions({ ...deps, admit });

  return {
    register(app) {
      const takeMessage = createTakeMessage({
        ...deps, carryOut, subscriptions, tellRefusal, nextId, parseJson: createParseJson(app),
      }); // prettier-ignore
      registerCallerSocket(app, { ...deps, takeMessage, tellRefusal, nextId, open });
    },
    start: open.start,
    async letGo(spreadMs, mostMs) {
      for (const socket of open.all()) {
        socket.send({
          type: 'going-away',
          retryAfterMs: Math.round(soonestReturnMs + Math.random() * spreadMs),
        });
        socket.isLeaving = true;
      }
      const until = performance.now() + mostMs;
      while (open.size > 0) {
        const isLate = performance.now() > until;
        for (const socket of open.all()) {
          if (isLate) socket.terminate();
          else if (socket.busy === 0) socket.close('goingAway');
        }
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
  };
}
