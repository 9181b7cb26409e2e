import { BusFailure } from '@tabletop-relay/cluster';
import type { Asked, Cluster, Command, Reply } from '@tabletop-relay/cluster';
import type { ErrorCode, Operation } from '@tabletop-relay/contract';
import type { ConnectedClients } from '../sockets/connected-clients.ts';
import { ProblemError } from '../problem.ts';

/** One call on its way to a world. */
export interface RoutedCall {
  operation: Operation;
  accountId: string;
  clientId: string;
  /** The command's parameters as the text of a JSON object, by their wire names. */
  fieldsJson: string;
}

/** Delivers a call to the instance that holds the world's socket: this one, or another over the bus. */
export interface Router {
  /** At most once. Throws, or rejects with the problem to answer, which says whether it was sent. */
  call(call: RoutedCall): Asked<Buffer>;
  /** A command that another instance sent for a client of ours. */
  deliver(command: Command): Asked<Reply>;
}

export interface RouterDeps {
  cluster: Cluster;
  clients: ConnectedClients;
  operations: readonly Operation[];
  /** Tells an unknown client from one that is offline. */
  explainAbsence(accountId: string, clientId: string): Promise<ProblemError>;
}

/** Extra time that the asker waits, so that the owner's own time-out, which carries the call's id, arrives first. */
const answerWayMs = 250;

export function createRouter(deps: RouterDeps): Router {
  const { cluster, clients } = deps;
  const operations = new Map(deps.operations.map((operation) => [operation.name, operation]));

  function callElsewhere({ operation, accountId, clientId, fieldsJson }: RoutedCall): Asked<Buffer> {
    const asked = cluster.bus.ask({
      clientId,
      accountId,
      body: Buffer.from(`${operation.name}\n${fieldsJson}`),
      budgetMs: operation.timeoutMs + answerWayMs,
    });
    const reply = asked.reply.then(readReply, async (error: unknown) => {
      if (!(error instanceof BusFailure)) throw error;
      throw error.reason === 'no_owner'
        ? await deps.explainAbsence(accountId, clientId)
        : new ProblemError(busProblems[error.reason], undefined, { cause: error });
    });
    return { reply, abandon: asked.abandon };
  }

  return {
    call(call) {
      const socket = clients.byClient(call.clientId);
      if (!socket?.isServing || socket.identity.accountId !== call.accountId) return callElsewhere(call);
      if (cluster.directory.authority(call.clientId) === 'frozen') {
        throw new ProblemError('unavailable', 'This instance may not act for the world at the moment.');
      }
      return socket.ask(call.operation, call.fieldsJson, call.operation.timeoutMs);
    },

    deliver(command) {
      const text = command.body.toString();
      const split = text.indexOf('\n');
      const operation = operations.get(text.slice(0, split));
      const socket = clients.byConn(command.conn);
      const budgetMs = command.budgetMs - answerWayMs;
      try {
        if (!socket || !operation || budgetMs <= 0)
          throw new ProblemError('unavailable', 'The world is just moving. Repeat the call.');
        const asked = socket.ask(operation, text.slice(split + 1), budgetMs);
        return { reply: asked.reply.then(writeReply, writeProblem), abandon: asked.abandon };
      } catch (error) {
        return { reply: Promise.reject(error as Error).catch(writeProblem), abandon: () => {} };
      }
    },
  };
}

const noBody = Buffer.alloc(0);

function writeReply(body: Buffer): Reply {
  return { head: '', body };
}

function writeProblem(error: unknown): Reply {
  if (!(error instanceof ProblemError)) throw error;
  const { code, message, fields, headers } = error;
  return { head: JSON.stringify({ code, detail: message, extra: { ...fields, headers } }), body: noBody };
}

/** A problem that the owner met reads as if it had been met here. */
function readReply({ head, body }: Reply): Buffer {
  if (head === '') return body;
  const { code, detail, extra } = JSON.parse(head) as {
    code: ErrorCode;
    detail: string;
    extra: Record<string, unknown>;
  };
  throw new ProblemError(code, detail, extra);
}

const busProblems = {
  unavailable: 'unavailable',
  lost: 'client_lost',
  timeout: 'client_timeout',
  aborted: 'client_timeout',
} as const satisfies Record<string, ErrorCode>;
