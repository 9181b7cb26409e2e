import type { Operation } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { CallFacts } from '../calls/log-calls.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import { refusePaused } from '../pauses/pauses.ts';
import { ProblemError } from '../problem.ts';
import type { Step } from '../tracing/tracing.ts';
import type { CallerSocket } from './caller-socket.ts';

/**
 * The key of a socket as it is now, for one message: expired, blocked and paused keys are refused as those of a request are. Rejects with
 * the problem to answer.
 */
export type Admit = (socket: CallerSocket) => Promise<Principal>;

export function createAdmit(keys: Pick<KeysByHash, 'find'>): Admit {
  return async function admit({ admitted }) {
    if (!admitted) throw new ProblemError('key_missing');
    const principal = await keys.find(admitted.keyHash);
    const { keyId, keyName, accountId, oldValueEndsAtMs } = principal;
    refusePaused(principal, undefined, {
      keyId, keyName, accountId, isOldValue: oldValueEndsAtMs !== null,
    }); // prettier-ignore
    return principal;
  };
}

/** What was asked by a message that was refused. */
export interface RefusedMessage {
  traceId: string;
  operation?: Operation;
  facts?: CallFacts;
  step?: Step | undefined;
  /** Its key could not be looked at: the call counts as failed by us, as one of a request that nobody was found for. */
  isUnchecked?: boolean;
}

/** Tells log and metrics of a message that was refused, as of a request. */
export type TellRefusal = (socket: CallerSocket, problem: ProblemError, message: RefusedMessage) => void;

/** What a message is told of by, as a request would be. */
interface MessageAsRequest {
  id: string;
  ip: string;
  method: string;
  headers: Record<string, undefined>;
  is404: boolean;
  call: CallFacts | null;
  step: Step | undefined;
  log: Logger;
  principal?: Principal;
  routeOptions: { url: string; config: { relayed?: Operation } };
}

export interface TellDeps {
  /** Told of each message that was refused, as of a request that is. */
  tellFailure(problem: ProblemError, message: MessageAsRequest): void;
  log: Logger;
}

export function createTellRefusal({ tellFailure, log }: TellDeps): TellRefusal {
  return ({ visitor, admitted }, problem, { traceId, operation, facts = null, step, isUnchecked }) =>
    tellFailure(problem, {
      id: traceId,
      ip: visitor.address,
      method: 'GET',
      headers: {},
      is404: false,
      call: facts,
      step,
      log,
      ...(admitted && !isUnchecked && { principal: admitted.principal }),
      routeOptions: { url: '/ws/api', config: operation ? { relayed: operation } : {} },
    });
}
