import { ClusterUnavailable } from '../../failures.ts';
import { commandRest } from '../wire/frames.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { ScriptArgument } from '../script.ts';
import { ROUTE } from '../scripts/calls.ts';
import { createTickBatch } from './tick-batch.ts';
import type { WaitingCall } from './waiting-calls.ts';

/** A boot, or why ROUTE published nothing; `refused`: it did not run; `unanswered`: nobody knows. */
export type RouteAnswer = string;

export interface RoutesOptions {
  boot: string;
  shard: RedisShard;
  /** Called once per look-up, with the attempt that it was made for. */
  onRouted: (call: WaitingCall, attempt: number, answer: RouteAnswer) => void;
}

interface Route {
  call: WaitingCall;
  attempt: number;
}

/** Sends calls to their owners: one script for all that one tick brings to a shard. */
export function createRoutes({ boot, shard, onRouted }: RoutesOptions): (call: WaitingCall) => void {
  const send = async (queued: Route[]): Promise<void> => {
    const routes = queued.filter(({ call }) => !call.settled);
    if (routes.length === 0) return;
    const owners: string[] = [];
    const args: ScriptArgument[] = [];
    for (const { call } of routes) {
      const { clientId, accountId, body } = call.question;
      const expiry = call.deadline - performance.now() + shard.lease.redisNow();
      owners.push(keys.owner(clientId));
      args.push(accountId, String(expiry), commandRest(expiry, boot, call.id, clientId, body));
      call.maybeSent = true;
    }
    const answers = await shard.run<string[]>(ROUTE, owners, args).catch((cause: unknown) => {
      return cause instanceof ClusterUnavailable ? 'refused' : 'unanswered';
    });
    for (const [index, { call, attempt }] of routes.entries()) {
      onRouted(call, attempt, typeof answers === 'string' ? answers : (answers[index] ?? 'unanswered'));
    }
  };
  const enqueue = createTickBatch<Route>((routes) => void send(routes));
  return (call) => enqueue({ call, attempt: call.attempt }, call.question.body.length);
}
