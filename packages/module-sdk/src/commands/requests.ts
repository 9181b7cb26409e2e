import type { Frame } from './commands.ts';
import { createDeferred } from '../deferred.ts';
import type { Deferred } from '../deferred.ts';
import { RelayError } from '../errors.ts';

/** The questions that one socket asked the relay and that are not answered yet. */
export interface Requests {
  /** Resolves with the answering frame; rejects with a `RelayError` at the time-out or when the socket ends. */
  ask: (frame: object & { type: string }, timeoutMs: number) => Promise<Frame>;
  settle(frame: Frame): void;
  /** The relay's `error` frame: rejects the request that it names, with its code; false where it names none. */
  refuse(frame: Frame): boolean;
  rejectAll(): void;
}

/** Matches the relay's answers to the requests of one socket, whose `send` tells whether a frame left. */
export function createRequests(send: (frame: object) => boolean): Requests {
  const waiting = new Map<unknown, Deferred<Frame>>();
  let count = 0;

  return {
    async ask(frame, timeoutMs) {
      const requestId = `${frame.type}_${Date.now()}_${(count += 1)}`;
      const answer = createDeferred<Frame>();
      if (!send({ ...frame, requestId })) throw new RelayError('not_connected', 'Not connected to the relay');
      waiting.set(requestId, answer);
      const timer = setTimeout(
        () => answer.reject(new RelayError('timeout', `No answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      try {
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(requestId);
      }
    },
    settle: (frame) => waiting.get(frame['requestId'])?.resolve(frame),
    refuse({ requestId, code, message }) {
      const answer = waiting.get(requestId);
      answer?.reject(
        new RelayError(
          typeof code === 'string' ? code : 'operation_failed',
          typeof message === 'string' ? message : 'The relay refused',
        ),
      );
      return answer !== undefined;
    },
    rejectAll() {
      for (const answer of waiting.values()) {
        answer.reject(new RelayError('connection_lost', 'The connection ended while the answer was awaited'));
      }
    },
  };
}
