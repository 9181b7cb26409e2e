import type { BusFailureReason } from '../../cluster.ts';
import { BusFailure } from '../../failures.ts';
import { keys } from '../keys.ts';
import { writeMessage } from '../../message.ts';
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts';

/** The ways in which a call ends without a reply. None has an effect on a call that is settled. */
export interface CallEndings {
  /** Fails the call. The owner is told nothing. */
  fail(call: WaitingCall, reason: BusFailureReason, why: string): void;
  /** The owner, a part of the reply or a connection on the way is gone. */
  lose(call: WaitingCall, why: string): void;
  /** The asker no longer waits. */
  giveUp(call: WaitingCall, reason: 'timeout' | 'aborted', why: string): void;
  /** Tells the owner, if it is known, that nobody waits any more. */
  cancel(call: Pick<WaitingCall, 'id' | 'shard' | 'owner'>): void;
}

export function createCallEndings(boot: string, calls: WaitingCalls): CallEndings {
  const fail: CallEndings['fail'] = (call, reason, why) =>
    calls.fail(call, new BusFailure(reason, call.maybeSent, why));

  const cancel: CallEndings['cancel'] = (call) => {
    if (!call.owner) return;
    const message = writeMessage('cancel', { asker: boot, callId: call.id });
    call.shard.send('publish', [keys.commands(call.owner), message]).catch(() => {});
  };

  return {
    fail,
    cancel,
    lose: (call, why) => {
      call.givenUp = true;
      fail(call, 'lost', why);
      cancel(call);
    },
    giveUp: (call, reason, why) => {
      if (call.settled) return;
      call.givenUp = true;
      // A call that was certainly not sent in time may be repeated, so it is no time-out.
      fail(call, reason === 'timeout' && !call.maybeSent ? 'unavailable' : reason, why);
      cancel(call);
    },
  };
}
