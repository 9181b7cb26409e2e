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
import type { CredentialKind } from './choose-client.ts';
import type { AskedBy, TellCaller } from './command.ts';
import { inStep } from '../tracing/in-step.ts';
import type { Step, Tracing } from '../tracing/tracing.ts';

/** A call of which the world is known and all checks are done. Which instance has the world's socket is not known yet. */
export interface CallToWorld {
  operation: Operation;
  /** Whose call it is. Without `keyId` the module of another world calls. */
  caller: { accountId: string; keyId?: string };
  /** Told to a module that wants to know who calls. */
  askedBy?: AskedBy | undefined;
  clientId: string;
  /** What the caller has; a key where it is not given. The problem of an unknown world names it. */
  credential?: CredentialKind;
  /** The command's parameters as the text of a JSON object, by their wire names. */
  fieldsJson: string;
  /** What the module that gets it must have declared: checked where its socket is, so that no other module gets it. */
  needs?: keyof Declarations | undefined;
  /** Set where the caller gave an idempotency key. */
  keyed?: KeyedSending | undefined;
  /** Where the call is traced: the step that its way to the world is a part of. */
  step?: Step | undefined;
  /** Aborted when nobody waits for the reply any more. */
  signal?: AbortSignal | undefined;
}

/** A call on the instance that has the world's socket, whichever instance its caller reached. */
type CallOnSocket = Pick<
  CallToWorld,
  'operation' | 'fieldsJson' | 'needs' | 'keyed' | 'step' | 'askedBy' | 'signal'
> & {
  keyId?: string | undefined;
};

/** The `head` of a call on the bus: what the asker tells the owner beside the command's parameters. */
interface BusCallHead {
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
  call(call: CallToWorld): Promise<WorldReply>;
  /** The owner's end of the bus: carries out a call that another instance sent for a client of ours. */
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
  explainAbsence(accountId: string, clientId: string, credential?: CredentialKind): Promise<ProblemError>;
}

/** The asker waits this much longer than the owner, so that the owner's time-out, which names the call's `requestId`, arrives first. */
const answerWayMs = 250;

// oxlint-disable-next-line max-lines-per-function -- The ways that a call may take stand together.
export function createRouter(deps: RouterDeps): Router {
  const { cluster, clients, arrivals, tracing, tellCaller } = deps;
  const operations = new Map(deps.operations.map((operation) => [operation.name, operation]));

  async function callOnSocket(
    socket: ClientSocket,
    call: CallOnSocket,
    budgetMs: number,
  ): Promise<WorldReply> {
    const { operation, step, keyed, askedBy } = call;
    const { clientId, declared } = socket.identity;
    checkDeclared(declared, call);
    const caller = declared.wantsCaller ? tellCaller(askedBy, clientId) : undefined;
    const idempotency = keyed && socket.calls.sentKeys.tellingOf(declared, keyed);
    const keyedJson = idempotency ? addMember(call.fieldsJson, 'idempotency', idempotency) : call.fieldsJson;
    const fieldsJson = caller ? addMember(keyedJson, 'caller', caller) : keyedJson;
    if (!step) return await socket.calls.call(operation, fieldsJson, budgetMs, call);
    const within = step.begin('world', operation.name, clientId);
    const traced = addMember(fieldsJson, 'traceparent', within.traceparent);
    return await inStep(within, () => socket.calls.call(operation, traced, budgetMs, call));
  }

  async function callOverBus(call: CallToWorld): Promise<WorldReply> {
    const step = call.step?.begin('bus', call.operation.name);
    if (!step) return await callOwner(call);
    return await inStep(step, () => callOwner(call, step.traceparent));
  }

  async function callOwner(call: CallToWorld, traceparent?: string): Promise<WorldReply> {
    const { operation, clientId, fieldsJson, credential, needs, keyed, askedBy, signal } = call;
    const { accountId, keyId } = call.caller;
    const head = {
      operation: operation.name,
      keyId,
      needs,
      keyed,
      traceparent,
      askedBy,
    } satisfies BusCallHead;
    const budgetMs = operation.timeoutMs + answerWayMs;
    const body = Buffer.from(fieldsJson);
    try {
      return readReply(await cluster.bus.call({ clientId, accountId, head, body, budgetMs }, signal));
    } catch (error) {
      if (!(error instanceof BusFailure)) throw error;
      throw error.reason === 'no_owner'
        ? await deps.explainAbsence(accountId, clientId, credential)
        : new ProblemError(busProblems[error.reason], undefined, { cause: error });
    }
  }

  /** A call that came over the bus. Its trace goes on here, and goes to the world as it is where this instance traces nothing. */
  async function callFromBus(
    socket: ClientSocket,
    call: CallOnSocket,
    traceparent: string | undefined,
    budgetMs: number,
  ) {
    if (traceparent === undefined) return await callOnSocket(socket, call, budgetMs);
    if (!tracing) {
      const fieldsJson = addMember(call.fieldsJson, 'traceparent', traceparent);
      return await callOnSocket(socket, { ...call, fieldsJson }, budgetMs);
    }
    const step = tracing.resume(call.operation.name, traceparent);
    return await inStep(step, () => callOnSocket(socket, { ...call, step }, budgetMs));
  }

  return {
    async call(call) {
      const socket = clients.byClient(call.clientId);
      if (!socket?.isServing || socket.identity.accountId !== call.caller.accountId)
        return await callOverBus(call);
      if (cluster.directory.authority(call.clientId) === 'frozen') {
        throw new ProblemError('unavailable', 'This instance may not act for the world at the moment.');
      }
      return await callOnSocket(socket, { ...call, keyId: call.caller.keyId }, call.operation.timeoutMs);
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
      const { operation: name, keyId, needs, keyed, traceparent, askedBy } = head as BusCallHead;
      const operation = operations.get(name);
      try {
        if (!socket || !operation || leftMs <= 0 || signal.aborted)
          throw new ProblemError('unavailable', 'The world is just moving. Repeat the call.');
        const call = { operation, fieldsJson: body.toString(), keyId, needs, keyed, askedBy, signal };
        return writeReply(await callFromBus(socket, call, traceparent, leftMs));
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

/** The `head` of a reply on the bus: how long the world took in milliseconds, or the problem in place of the world's bytes. */
interface BusReplyHead {
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
  return { head: { worldMs } satisfies BusReplyHead, body, release };
}

function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message: detail, fields, headers, worldMs } = error;
  const problem: Problem = { code, detail, extra: { ...fields, headers } };
  return { head: { worldMs, problem } satisfies BusReplyHead, body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
function readReply({ head, body, release }: Reply): WorldReply {
  const { worldMs, problem } = head as BusReplyHead;
  if (!problem) return { body, release, worldMs };
  const error = new ProblemError(problem.code, problem.detail, problem.extra);
  error.worldMs = worldMs;
  throw error;
}
