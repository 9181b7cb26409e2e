import { ClusterUnavailable } from '../../failures.ts';
import type { BulkBounds } from '../bulk/bulk-bounds.ts';
import { keys } from '../keys.ts';
import type { ScriptArgument } from '../script.ts';
import { ROUTE } from '../scripts/calls.ts';
import type { RedisShard } from '../shard/shard.ts';
import { writeMessage } from '../../message.ts';
import type { CallEndings } from './call-endings.ts';
import { createTickBatch } from '../tick-batch.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage } from '../traffic.ts';
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts';

/** Brings calls to their owners. */
export interface CallRouter {
  /** Looks up the owner and publishes the command to it. */
  route(call: WaitingCall): void;
  /** Looks up the owner again, after an owner said that it sent nothing. Fails the call after three attempts. */
  tryAgain(call: WaitingCall, why: string): void;
}

export interface CallRouterOptions {
  boot: string;
  shards: readonly RedisShard[];
  endings: CallEndings;
  calls: Pick<WaitingCalls, 'size'>;
  bounds: BulkBounds;
  /** How long a reply may still arrive when the look-up was not answered. */
  graceMs: number;
  traffic: Traffic;
}

const maxAttempts = 3;
const retryAfterMs = 50;

export function createCallRouter(options: CallRouterOptions): CallRouter {
  const { shards, endings, graceMs } = options;
  const onRouted: OnRouted = (call, attempt, answer) => {
    // The owner's answer may overtake that of the script and start the next attempt.
    if (call.attempt !== attempt) return;
    if (answer === 'unanswered') {
      call.failAt = performance.now() + graceMs;
    } else if (answer === 'moving') {
      tryAgain(call, 'the client is moving between instances');
    } else if (answer in notSent) {
      call.maybeSent = false;
      endings.fail(call, answer === 'none' ? 'no_owner' : 'unavailable', notSent[answer] ?? answer);
    } else {
      call.owner = answer;
      if (call.givenUp) endings.cancel(call);
    }
  };

  const lookUps = new Map(shards.map((shard) => [shard, createLookUp(options, shard, onRouted)]));
  const route = (call: WaitingCall): void => lookUps.get(call.shard)?.(call);

  const tryAgain = (call: WaitingCall, why: string): void => {
    call.maybeSent = false;
    call.owner = '';
    call.failAt = Infinity;
    call.attempt += 1;
    if (call.attempt >= maxAttempts) endings.fail(call, 'unavailable', why);
    else setTimeout(() => route(call), retryAfterMs);
  };

  return { route, tryAgain };
}

/** The answers of ROUTE when it published nothing, with the reason for people. */
const notSent: Record<string, string> = {
  none: 'no instance owns the client for this account',
  lapsed: "the owner's lease has ended",
  deaf: "the owner's subscription is lost",
  expired: 'the budget ran out before the look-up',
  refused: 'Redis refused the look-up',
};

/**
 * Called once per look-up, with the attempt that it belongs to. The answer is the owner's boot id, or why ROUTE
 * published nothing. `refused`: the script did not run. `unanswered`: it may have run.
 */
type OnRouted = (call: WaitingCall, attempt: number, answer: string) => void;

interface LookUp {
  call: WaitingCall;
  attempt: number;
}

/** The calls of one turn of the event loop share one script. */
function createLookUp(
  { boot, calls, bounds, traffic }: CallRouterOptions,
  shard: RedisShard,
  onRouted: OnRouted,
): (call: WaitingCall) => void {
  const send = async (queued: LookUp[]): Promise<void> => {
    const lookUps = queued.filter(({ call }) => !call.settled);
    if (lookUps.length === 0) return;
    const owners: string[] = [];
    const args: ScriptArgument[] = [];
    const inlineBytes = Math.min(
      bounds.replyInlineBytes,
      Math.floor(bounds.replyInlineTotalBytes / calls.size),
    );
    for (const { call } of lookUps) {
      const { clientId, accountId, head, body } = call.question;
      // A suspension stops our own clock, so a later look-up would have the command start late by as much. A step of Redis' clock
      // makes the first figure wrong. The earlier of both starts nothing late.
      const expiry = Math.min(call.expiry, call.deadline - performance.now() + shard.lease.redisNow());
      owners.push(keys.owner(clientId));
      const address = { asker: boot, callId: call.id, clientId, expiry, inlineBytes };
      const message = isPublished(body)
        ? writeMessage('call', { ...address, head }, body)
        : writeMessage('call', { ...address, isStored: true, head });
      args.push(accountId, String(expiry), message);
      countMessage(traffic.published.command, body.length);
      call.maybeSent = true;
    }
    const answers = await shard.run<string[]>(ROUTE, owners, args).catch((cause: unknown) => {
      return cause instanceof ClusterUnavailable ? 'refused' : 'unanswered';
    });
    for (const [index, { call, attempt }] of lookUps.entries()) {
      onRouted(call, attempt, typeof answers === 'string' ? answers : (answers[index] ?? 'unanswered'));
    }
  };
  const enqueue = createTickBatch<LookUp>((lookUps) => void send(lookUps));
  const isPublished = (body: Buffer): boolean => body.length <= bounds.commandInlineBytes;

  /** Stores a command for its owner. Until the look-up nobody knows of it, so a failure means that nothing was sent. */
  const store = async (lookUp: LookUp): Promise<void> => {
    const { id, question } = lookUp.call;
    const seconds = Math.ceil(question.budgetMs / 1_000) + 1;
    try {
      await shard.bulk.send('set', [keys.command(boot, id), question.body, 'EX', seconds]);
      enqueue(lookUp, 0);
    } catch {
      onRouted(lookUp.call, lookUp.attempt, 'refused');
    }
  };

  return (call) => {
    const lookUp = { call, attempt: call.attempt };
    if (isPublished(call.question.body)) enqueue(lookUp, call.question.body.length);
    else void store(lookUp);
  };
}
