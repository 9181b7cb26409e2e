import { BusFailure } from '@tabletop-relay/cluster';
import type { Cluster, ReceivedCall, Reply } from '@tabletop-relay/cluster';
import type { Declarations, ErrorCode, Operation } from '@tabletop-relay/contract';
import type { Arrivals } from '../sockets/arrivals.ts';
import type { ClientSocket } from '../sockets/client-socket.ts';
import type { KeyedSending } from '../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import type { ConnectedClients } from '../sockets/connected-clients.ts';
import { ProblemError } from '../problem.ts';
import { checkDeclared, addMember } from './command.ts';
import type { Asker } from './choose-client.ts';
import type { AskedBy, TellCaller } from './command.ts';
import { inStep } from '../tracing/in-step.ts';
import type { Step, Tracing } from '../tracing/tracing.ts';

/** One call on its way to a world. */
export interface RoutedCall {
  operation: Operation;
  /** Who calls. Whether it may, at this moment, has been checked. */
  caller: { accountId: string; keyId?: string };
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
  /** Aborted when nobody waits for the reply any more. */
  signal?: AbortSignal | undefined;
}

/** The part of a call that its world is told, and whose key asks: without one, a module does. */
type WorldCall = Pick<
  RoutedCall,
  'operation' | 'fieldsJson' | 'needs' | 'keyed' | 'step' | 'askedBy' | 'signal'
> & {
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
  /** At most once. Rejects with the problem to answer, which says whether it was sent. */
  call(call: RoutedCall): Promise<WorldReply>;
  /** A call that another instance sent for a client of ours. */
  deliver(call: ReceivedCall, signal: AbortSignal): Promise<Reply>;
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

  async function callWorld(socket: ClientSocket, call: WorldCall, budgetMs: number): Promise<WorldReply> {
    const { operation, step, keyed, askedBy } = call;
    const { clientId, declared } = socket.identity;
    checkDeclared(declared, call);
    const caller = declared.wantsCaller ? tellCaller(askedBy, clientId) : undefined;
    const idempotency = keyed && socket.calls.sentKeys.tellingOf(declared, keyed);
    const told = idempotency ? addMember(call.fieldsJson, 'idempotency', idempotency) : call.fieldsJson;
    const fieldsJson = caller ? addMember(told, 'caller', caller) : told;
    if (!step) return await socket.calls.call(operation, fieldsJson, budgetMs, call);
    const within = step.begin('world', operation.name, clientId);
    const traced = addMember(fieldsJson, 'traceparent', within.traceparent);
    return await inStep(within, () => socket.calls.call(operation, traced, budgetMs, call));
  }

  async function callElsewhere(call: RoutedCall): Promise<WorldReply> {
    const step = call.step?.begin('bus', call.operation.name);
    if (!step) return await callOwner(call);
    return await inStep(step, () => callOwner(call, step.traceparent));
  }

  async function callOwner(call: RoutedCall, traceparent?: string): Promise<WorldReply> {
    const { operation, clientId, fieldsJson, asker, needs, keyed, askedBy, signal } = call;
    const { accountId, keyId } = call.caller;
    const head = { operation: operation.name, keyId, needs, keyed, traceparent, askedBy } satisfies CallHead;
    const budgetMs = operation.timeoutMs + answerWayMs;
    const body = Buffer.from(fieldsJson);
    try {
      return readReply(await cluster.bus.call({ clientId, accountId, head, body, budgetMs }, signal));
    } catch (error) {
      if (!(error instanceof BusFailure)) throw error;
      throw error.reason === 'no_owner'
        ? await deps.explainAbsence(accountId, clientId, asker)
        : new ProblemError(busProblems[error.reason], undefined, { cause: error });
    }
  }

  /** What another instance sent. Its trace goes to the world as it is where this instance has none. */
  async function callOwn(
    socket: ClientSocket,
    call: WorldCall,
    traceparent: string | undefined,
    budgetMs: number,
  ) {
    if (traceparent === undefined) return await callWorld(socket, call, budgetMs);
    if (!tracing) {
      const fieldsJson = addMember(call.fieldsJson, 'traceparent', traceparent);
      return await callWorld(socket, { ...call, fieldsJson }, budgetMs);
    }
    const step = tracing.resume(call.operation.name, traceparent);
    return await inStep(step, () => callWorld(socket, { ...call, step }, budgetMs));
  }

  return {
    async call(call) {
      const socket = clients.byClient(call.clientId);
      if (!socket?.isServing || socket.identity.accountId !== call.caller.accountId)
        return await callElsewhere(call);
      if (cluster.directory.authority(call.clientId) === 'frozen') {
        throw new ProblemError('unavailable', 'This instance may not act for the world at the moment.');
      }
      return await callWorld(socket, { ...call, keyId: call.caller.keyId }, call.operation.timeoutMs);
    },

    async deliver({ conn, head, body, budgetMs }, signal) {
      let socket = clients.byConn(conn);
      let leftMs = budgetMs - answerWayMs;
      if (!socket) {
        // The claim may be made and the socket not yet admitted: its call waits as long as it may.
        const since = performance.now();
        socket = await arrivals.waitFor(conn);
        leftMs -= performance.now() - since;
      }
      const { operation: name, keyId, needs, keyed, traceparent, askedBy } = head as CallHead;
      const operation = operations.get(name);
      try {
        if (!socket || !operation || leftMs <= 0 || signal.aborted)
          throw new ProblemError('unavailable', 'The world is just moving. Repeat the call.');
        const call = { operation, fieldsJson: body.toString(), keyId, needs, keyed, askedBy, signal };
        return writeReply(await callOwn(socket, call, traceparent, leftMs));
      } catch (error) {
        return writeProblem(error);
      }
    },
  };
}

const busProblems = {
  unavailable: 'unavailable',
  lost: 'client_lost',
  timeout: 'client_timeout',
  aborted: 'client_timeout',
} as const satisfies Record<string, ErrorCode>;

/** What the owner tells beside the bytes of a world: how long it took in milliseconds, or the problem in place of the bytes. */
interface ReplyHead {
  worldMs?: number | undefined;
  problem?: Problem;
}

interface Problem {
  code: ErrorCode;
  detail: string;
  extra: ConstructorParameters<typeof ProblemError>[2];
}

const noBody = Buffer.alloc(0);

function writeReply({ worldMs, body, release }: WorldReply): Reply {
  return { head: { worldMs } satisfies ReplyHead, body, release };
}

function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message: detail, fields, headers, worldMs } = error;
  const problem: Problem = { code, detail, extra: { ...fields, headers } };
  return { head: { worldMs, problem } satisfies ReplyHead, body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
function readReply({ head, body, release }: Reply): WorldReply {
  const { worldMs, problem } = head as ReplyHead;
  if (!problem) return { body, release, worldMs };
  const error = new ProblemError(problem.code, problem.detail, problem.extra);
  error.worldMs = worldMs;
  throw error;
}
