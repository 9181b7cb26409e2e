import type { Cluster } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract';
import { checkReach, readClientId } from '../calls/choose-client.ts';
import type { ChooseClient } from '../calls/choose-client.ts';
import { authorize } from '../keys/authenticate.ts';
import type { Principal } from '../keys/authenticate.ts';
import { refusePaused } from '../pauses/pauses.ts';
import { ProblemError } from '../problem.ts';
import { actingUserIn } from '../worlds/acting-users.ts';
import type { FindDeclared } from '../worlds/declared.ts';
import type { FilterValues } from './events/event-filter.ts';
import { readFilters } from './read-filters.ts';
import { readResumeQuery } from './resume-id.ts';
import { unavailable } from './unavailable.ts';

/** What a caller may follow: one channel of one world, narrowed by filters. */
export interface Subscription {
  channel: Channel;
  clientId: string;
  filters: FilterValues;
  /** The names in the query that stand for nothing on this stream. */
  ignored?: readonly string[];
  /** The id of the last event that the caller has, where the query names one. */
  after?: string | undefined;
}

export interface SubscriptionDeps {
  cluster: Pick<Cluster, 'directory'>;
  chooseClient: ChooseClient;
  findDeclared: FindDeclared;
  /** The problem of a client that is not online: `client_offline` where the account has it. */
  explainAbsence(accountId: string, clientId: string): Promise<ProblemError>;
}

const scope = 'events:subscribe';

/** Whether a principal may follow a client now, whoever chose the client. */
export function mayFollow({ scopes, clientIds }: Principal, clientId: string): boolean {
  return scopes.has(scope) && (clientIds === null || clientIds.has(clientId));
}

/** Whether the relay itself can tell of the channel's events who may see them. */
export const judgedByRelay = (channel: Channel): boolean => channel === 'chat';

/**
 * Refuses who is bound to a user the channels whose events only their module can judge, where the module that serves the world
 * does not declare that it does. A world that is offline may be followed: an event that says nothing of its users reaches nobody
 * who is bound, and the question is asked again when the world is back.
 */
export async function checkChannel(
  { findDeclared }: Pick<SubscriptionDeps, 'findDeclared'>,
  principal: Principal,
  { channel, clientId }: Pick<Subscription, 'channel' | 'clientId'>,
): Promise<void> {
  if (actingUserIn(principal, clientId) === undefined || judgedByRelay(channel)) return;
  const declared = await findDeclared(principal.accountId, clientId);
  if (!declared || declared.filtersEvents) return;
  const instead = channel === 'rolls' ? ' The chat tells of rolls too: follow that.' : '';
  throw new ProblemError(
    'acting_user_unchecked',
    `The key is bound to a user, and the module of this world does not declare that it says who may see its events. Of such a world it may follow the chat alone.${instead}`,
  );
}

/** Checks the scope, reach and pauses of who opens a stream now. Throws the problem to answer. */
export function checkMayFollow(principal: Principal, clientId: string): void {
  authorize(principal, scope);
  checkReach(principal.clientIds, clientId);
  // A key that reaches paused worlds does so with its calls alone.
  refusePaused({ pauses: principal.pauses }, clientId);
}

export interface Asked {
  channel: Channel;
  principal: Principal;
  query: unknown;
  /** The header `x-client-id`. */
  header: string | string[] | undefined;
}

/** Reads and checks what a caller asks to follow. Rejects with the problem to answer. */
export async function readSubscription(
  deps: SubscriptionDeps,
  { channel, principal, query, header }: Asked,
): Promise<Subscription> {
  authorize(principal, scope);
  const named = readClientId(query, undefined, header);
  const { filters, ignored } = readFilters(channels[channel], query);
  const after = readResumeQuery(query);
  const clientId = await deps.chooseClient(principal, named);
  checkMayFollow(principal, clientId);
  await checkClient(deps, principal, clientId);
  await checkChannel(deps, principal, { channel, clientId });
  return { channel, clientId, filters, ignored, after };
}

/**
 * A world that is offline can be followed: its stream tells when it is back. One that the account does not have cannot. The
 * register is asked also where the world is online, for one that was deleted may be for a moment more, and nothing would end
 * its stream.
 */
export async function checkClient(
  { cluster, explainAbsence }: SubscriptionDeps,
  { accountId }: Principal,
  clientId: string,
): Promise<void> {
  const found = await cluster.directory.find([clientId]).catch(unavailable);
  const isOnline = found.get(clientId)?.accountId === accountId;
  const problem = await explainAbsence(accountId, clientId);
  const isKnown = problem.code === 'client_offline' || (isOnline && problem.code === 'unavailable');
  if (!isKnown) throw problem;
}
