import { BusFailure, ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Asked, Cluster, Command, Directory, Reply } from '@tabletop-relay/cluster';
import type { Declarations, ErrorCode, Operation } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import type { Principal } from '../keys/authenticate.ts';
import { refusePaused } from '../pauses/pauses.ts';
import type { PauseHolder } from '../pauses/pauses.ts';
import type { Arrivals } from '../sockets/arrivals.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { KeyedSending } from '../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import type { ConnectedClients } from '../sockets/connected-clients.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { checkDeclared } from './acting-user.ts';
import { addMember } from './add-member.ts';
import { readReply, writeProblem, writeReply } from './reply-head.ts';
import { clientIdsOf } from '../worlds/find-clients.ts';
import { clientNotFound, severalOnline } from './client-problems.ts';
import type { Asker } from './client-problems.ts';
import type { AskedBy, TellCaller } from './tell-caller.ts';
import { inStep } from '../tracing/in-step.ts';
import type { Step, Tracing } from '../tracing/tracing.ts';

/** Where callers name the world: the query string, else the body, else the `x-client-id` header. */
export function readClientId(
  query: unknown,
  body: unknown,
  header: string | string[] | undefined,
): string | undefined {
  const fromQuery = field(query);
  const fromBody = field(body);
  const named = fromQuery ?? fromBody ?? header;
  if (named === undefined) return undefined;
  if (typeof named !== 'string' || named === '') {
    throw invalidFields([{ field: 'clientId', message: 'must be the id of one world, as text' }]);
  }
  if ((fromBody !== undefined && fromBody !== named) || (header !== undefined && header !== named)) {
    throw invalidFields([{ field: 'clientId', message: 'is given twice and differs' }]);
  }
  return named;
}

const field = (source: unknown): unknown =>
  typeof source === 'object' && source !== null ? (source as { clientId?: unknown }).clientId : undefined;

export interface ChooseClientDeps {
  db: Kysely<Tables>;
  directory: Directory;
}

/** Which world a call is for. Synchronous where the call or the key names it. */
export type ChooseClient = (principal: Principal, asked: string | undefined) => string | Promise<string>;

export function createChooseClient({ db, directory }: ChooseClientDeps): ChooseClient {
  async function onlyOneOnline(principal: Principal): Promise<string> {
    const visible = principal.clientIds
      ? [...principal.clientIds]
      : await clientIdsOf(db, principal.accountId);
    const online = await directory.find(visible).catch((cause: unknown) => {
      if (!(cause instanceof ClusterUnavailable)) throw cause;
      throw new ProblemError(
        'unavailable',
        'Which worlds are online cannot be told now. Name one with clientId.',
        { cause },
      );
    });
    const candidates = visible.filter(
      (id) => online.get(id)?.accountId === principal.accountId && !online.get(id)?.moving,
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only;
    if (only === undefined) {
      const detail =
        'None of the worlds that this key may reach is online. Open one, or name it with clientId.';
      throw new ProblemError('client_required', detail, { candidates: [] });
    }
    throw await severalOnline(db, candidates);
  }

  return function chooseClient(principal, asked) {
    const { clientIds } = principal;
    if (asked !== undefined) {
      checkReach(clientIds, asked);
      return asked;
    }
    if (clientIds?.size === 1) return [...clientIds][0] as string;
    return onlyOneOnline(principal);
  };
}

/** Refuses a world that a key, or a module's token, may not reach, as if it did not exist. Null: every world. */
export function checkReach(reachable: ReadonlySet<string> | null, clientId: string, asker?: Asker): void {
  if (reachable && !reachable.has(clientId)) throw clientNotFound(clientId, asker);
}

/** One call on its way to a world. */
export interface RoutedCall {
  operation: Operation;
  /** Who calls, as it is at this moment: what has changed since the request was let in counts. */
  caller: PauseHolder & { accountId: string; keyId?: string };
  /** Who asks, for a world that wants to know. */
  askedBy?: AskedBy | undefined;
  clientId: string;
  /** A program with a key, where it is not given. */
  asker?: Asker;
  /** The command's parameters as the text of a JSON object, by their wire names. */
  fieldsJson: string;
  /** What the module that gets it must have declared: checked where its socket is, so that no other module gets it. */
  needs?: keyof Declarations | undefined;
  /** What its caller may repeat it by. */
  keyed?: KeyedSending | undefined;
  /** Where the call is traced: the step that its way to the world is a part of. */
  step?: Step | undefined;
}

/** The part of a call that its world is told, and whose key asks: without one, a module does. */
type WorldCall = Pick<RoutedCall, 'operation' | 'fieldsJson' | 'needs' | 'keyed' | 'step' | 'askedBy'> & {
  keyId?: string | undefined;
};

/** What the owner is told of a call beside the command's parameters. */
interface CallHead {
  operation: string;
  keyId?: string | undefined;
  needs?: keyof Declarations | undefined;
  keyed?: KeyedSending | undefined;
  traceparent?: string | undefined;
  askedBy?: AskedBy | undefined;
}

/** Delivers a call to the instance that holds the world's socket: this one, or another over the bus. */
export interface Router {
  /** At most once. Throws, or rejects with the problem to answer, which says whether it was sent. */
  call(call: RoutedCall): Asked<WorldReply>;
  /** A command that another instance sent for a client of ours. */
  deliver(command: Command): Asked<Reply>;
}

export interface RouterDeps {
  cluster: Cluster;
  clients: ConnectedClients;
  arrivals: Pick<Arrivals, 'waitFor'>;
  operations: readonly Operation[];
  tracing: Pick<Tracing, 'resume'> | undefined;
  tellCaller: TellCaller;
  /** Tells an unknown client from one that is offline. */
  explainAbsence(accountId: string, clientId: string, asker?: Asker): Promise<ProblemError>;
}

/** Extra time that the asker waits, so that the owner's own time-out, which carries the call's id, arrives first. */
const answerWayMs = 250;

// oxlint-disable-next-line max-lines-per-function -- The ways that a call may take stand together.
export function createRouter(deps: RouterDeps): Router {
  const { cluster, clients, arrivals, tracing, tellCaller } = deps;
  const operations = new Map(deps.operations.map((operation) => [operation.name, operation]));

  function askWorld(socket: ClientSocket, call: WorldCall, budgetMs: number) {
    const { operation, step, keyId, keyed, askedBy } = call;
    const { clientId, declared } = socket.identity;
    checkDeclared(declared, call);
    const caller = declared.wantsCaller ? tellCaller(askedBy, clientId) : undefined;
    const idempotency = keyed && socket.calls.sentKeys.tellingOf(declared, keyed);
    const told = idempotency ? addMember(call.fieldsJson, 'idempotency', idempotency) : call.fieldsJson;
    const fieldsJson = caller ? addMember(told, 'caller', caller) : told;
    if (!step) return socket.calls.ask(operation, fieldsJson, budgetMs, keyId, keyed);
    const within = step.begin('world', operation.name, clientId);
    const traced = addMember(fieldsJson, 'traceparent', within.traceparent);
    return inStep(within, () => socket.calls.ask(operation, traced, budgetMs, keyId, keyed));
  }

  function callElsewhere(call: RoutedCall): Asked<WorldReply> {
    const step = call.step?.begin('bus', call.operation.name);
    if (!step) return callOwner(call);
    return inStep(step, () => callOwner(call, step.traceparent));
  }

  function callOwner(call: RoutedCall, traceparent?: string): Asked<WorldReply> {
    const { operation, clientId, fieldsJson, asker, needs, keyed, askedBy } = call;
    const { accountId, keyId } = call.caller;
    const asked = cluster.bus.ask({
      clientId,
      accountId,
      head: { operation: operation.name, keyId, needs, keyed, traceparent, askedBy } satisfies CallHead,
      body: Buffer.from(fieldsJson),
      budgetMs: operation.timeoutMs + answerWayMs,
    });
    const reply = asked.reply.then(readReply, async (error: unknown) => {
      if (!(error instanceof BusFailure)) throw error;
      throw error.reason === 'no_owner'
        ? await deps.explainAbsence(accountId, clientId, asker)
        : new ProblemError(busProblems[error.reason], undefined, { cause: error });
    });
    return { reply, abandon: asked.abandon };
  }

  /** What another instance asks. Its trace goes to the world as it is where this instance has none. */
  function askOwn(socket: ClientSocket, call: WorldCall, traceparent: string | undefined, budgetMs: number) {
    if (traceparent === undefined) return askWorld(socket, call, budgetMs);
    if (!tracing) {
      return askWorld(
        socket,
        { ...call, fieldsJson: addMember(call.fieldsJson, 'traceparent', traceparent) },
        budgetMs,
      );
    }
    const step = tracing.resume(call.operation.name, traceparent);
    return inStep(step, () => askWorld(socket, { ...call, step }, budgetMs));
  }

  function deliverTo(socket: ClientSocket | undefined, command: Command, budgetMs: number): Asked<Reply> {
    const { operation: name, keyId, needs, keyed, traceparent, askedBy } = command.head as CallHead;
    const operation = operations.get(name);
    try {
      if (!socket || !operation || budgetMs <= answerWayMs)
        throw new ProblemError('unavailable', 'The world is just moving. Repeat the call.');
      const call = { operation, fieldsJson: command.body.toString(), keyId, needs, keyed, askedBy };
      const asked = askOwn(socket, call, traceparent, budgetMs - answerWayMs);
      return { reply: asked.reply.then(writeReply, writeProblem), abandon: asked.abandon };
    } catch (error) {
      return { reply: Promise.reject(error as Error).catch(writeProblem), abandon: () => {} };
    }
  }

  /** The claim is made and the socket not yet admitted: its call waits as long as it may. */
  function deliverOnArrival(arrival: Promise<ClientSocket | undefined>, command: Command): Asked<Reply> {
    const since = performance.now();
    let asked: Asked<Reply> | undefined;
    let isAbandoned = false;
    const reply = arrival.then((socket) => {
      const budgetMs = isAbandoned ? 0 : command.budgetMs - (performance.now() - since);
      asked = deliverTo(socket, command, budgetMs);
      return asked.reply;
    });
    const abandon = () => {
      isAbandoned = true;
      asked?.abandon();
    };
    return { reply, abandon };
  }

  return {
    call(call) {
      refusePaused(call.caller, call.clientId);
      const socket = clients.byClient(call.clientId);
      if (!socket?.isServing || socket.identity.accountId !== call.caller.accountId)
        return callElsewhere(call);
      if (cluster.directory.authority(call.clientId) === 'frozen') {
        throw new ProblemError('unavailable', 'This instance may not act for the world at the moment.');
      }
      return askWorld(socket, { ...call, keyId: call.caller.keyId }, call.operation.timeoutMs);
    },

    deliver(command) {
      const socket = clients.byConn(command.conn);
      const arrival = socket ? undefined : arrivals.waitFor(command.conn);
      return arrival ? deliverOnArrival(arrival, command) : deliverTo(socket, command, command.budgetMs);
    },
  };
}

const busProblems = {
  unavailable: 'unavailable',
  lost: 'client_lost',
  timeout: 'client_timeout',
  aborted: 'client_timeout',
} as const satisfies Record<string, ErrorCode>;
