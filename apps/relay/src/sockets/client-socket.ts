import type { SocketIdentity } from '../worlds/socket-identity.ts';
import type { Asked } from '@tabletop-relay/cluster';
import { closeCodes } from '@tabletop-relay/contract';
import type { CloseName, Operation, RelayFrame } from '@tabletop-relay/contract';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { ProblemError } from '../problem.ts';
import type { Deadlines } from './deadlines.ts';
import { Inflow } from './frames/inflow.ts';
import type { HoldStage, InflowLimits } from './frames/inflow.ts';
import type { Outbox } from './outbox.ts';
import { PendingCalls } from './pending-calls.ts';
import type { PendingCall } from './pending-calls.ts';
import { settleReply } from './frames/reply.ts';

export interface SocketLimits {
  /** Calls in flight per client; above it callers get `overloaded`. */
  callsInFlight: number;
  /** Bytes that may wait in the socket's send queue before commands are refused. */
  sendQueueBytes: number;
  inflow: InflowLimits;
}

/** A WebSocket and the connection that it runs on. */
export interface SocketLink {
  ws: WebSocket;
  transport: Socket;
}

/** What all sockets of an instance share. */
export interface SocketContext {
  deadlines: Deadlines;
  outbox: Outbox;
  limits: SocketLimits;
  /** A module sends faster than its rates, and is not read for a while. */
  onHold(socket: ClientSocket, stage: HoldStage): void;
}

/** The heartbeat looks at a socket so many times between two pings. */
export const roundsPerPing = 40;

/** The socket of one connected world, after its authentication. */
export class ClientSocket {
  readonly identity: SocketIdentity;
  readonly conn: string;
  readonly calls = new PendingCalls();
  epoch = 0;
  /** What the cluster was told with the claim; told again when a claim must be restored. */
  meta = '';
  /** Rounds of the heartbeat since the last frame of any kind; starts anywhere, so that pings are spread. */
  quietRounds = Math.floor(Math.random() * roundsPerPing);
  /** Released with a time to come back: its end is no news to the cluster. */
  isMoving = false;
  /** What the module sends is counted here. */
  readonly inflow: Inflow;
  readonly #ws: WebSocket;
  #probing: Promise<boolean> | undefined;
  readonly #transport: Socket;
  readonly #context: SocketContext;

  constructor(link: SocketLink, conn: string, identity: SocketIdentity, context: SocketContext) {
    this.#ws = link.ws;
    this.#transport = link.transport;
    this.conn = conn;
    this.identity = identity;
    this.#context = context;
    const { deadlines, limits } = context;
    this.inflow = new Inflow({
      ws: link.ws,
      deadlines,
      limits: limits.inflow,
      onHold: (stage) => {
        context.onHold(this, stage);
        if (stage === 'too long') this.close('temporary', tooFast(limits.inflow));
      },
    });
  }

  /** New calls may take it: it is neither closing nor told to come back elsewhere. */
  get isServing(): boolean {
    return this.#ws.readyState === this.#ws.OPEN && !this.isMoving;
  }

  /**
   * Sends one command and waits for its reply. Throws before anything was sent; the promise rejects with a
   * problem that carries the call's `requestId`. Abandoned, the module gets `cancel` and a late reply is dropped.
   * @param fieldsJson the command's parameters as the text of a JSON object
   */
  ask(operation: Operation, fieldsJson: string, budgetMs: number): Asked<Buffer> {
    this.#refuseWhenBusy();
    const requestId = this.calls.nextId(operation.name);
    const reply = new Promise<Buffer>((resolve, reject) => {
      const call: PendingCall = { requestId, operation, resolve, reject };
      call.deadline = this.#context.deadlines.add(budgetMs, () => this.#expire(call));
      this.calls.add(call);
    });
    this.#context.outbox.hold(this.#transport);
    const head = `{"type":"${operation.name}","requestId":"${requestId}"`;
    this.#ws.send(fieldsJson === '{}' ? `${head}}` : `${head},${fieldsJson.slice(1)}`);
    return { reply, abandon: () => this.#abandon(requestId) };
  }

  /** A `<operation>-result` frame. False when nobody waits for it. */
  receiveReply(frame: Record<string, unknown>, body: Buffer): boolean {
    const call = typeof frame['requestId'] === 'string' ? this.calls.take(frame['requestId']) : undefined;
    if (!call) return false;
    settleReply(call, frame, body, this.identity.world);
    return true;
  }

  /** Dropped where the module does not read: none of these is worth more room than the commands have. */
  send(frame: RelayFrame): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#ws.bufferedAmount > this.#context.limits.sendQueueBytes) return;
    this.#context.outbox.hold(this.#transport);
    this.#ws.send(JSON.stringify(frame));
  }

  /** True when any frame arrives within `waitMs` after a ping. Who asks meanwhile gets the same answer. */
  probe(waitMs: number): Promise<boolean> {
    if (this.#ws.readyState !== this.#ws.OPEN) return Promise.resolve(false);
    // Just now it sent more than it may. Its answer would not be read in time.
    if (this.inflow.isHeld) return Promise.resolve(true);
    this.#probing ??= this.#probe(waitMs).finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  ping(): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
  }

  close(name: CloseName, reason: string = closeCodes[name].meaning): void {
    this.#ws.close(closeCodes[name].code, reason.slice(0, 120));
  }

  /** Ends the connection without a word: for a peer that does not answer. */
  terminate(): void {
    this.#ws.terminate();
  }

  #refuseWhenBusy(): void {
    if (this.#ws.readyState !== this.#ws.OPEN) {
      throw new ProblemError(
        'unavailable',
        'The world is just disconnecting. Nothing was sent; repeat the call.',
      );
    }
    if (this.calls.size >= this.#context.limits.callsInFlight) {
      throw new ProblemError(
        'overloaded',
        `The world has ${this.#context.limits.callsInFlight} calls in flight already. Nothing was sent; repeat the call.`,
      );
    }
    if (this.#ws.bufferedAmount > this.#context.limits.sendQueueBytes) {
      throw new ProblemError(
        'overloaded',
        'The world does not read fast enough. Nothing was sent; repeat the call.',
      );
    }
  }

  #probe(waitMs: number): Promise<boolean> {
    this.#ws.ping();
    return new Promise((resolve) => {
      const finish = (alive: boolean) => {
        deadline.cancel();
        this.#ws.off('pong', seen).off('message', seen).off('close', gone);
        resolve(alive);
      };
      const seen = () => finish(true);
      const gone = () => finish(false);
      const deadline = this.#context.deadlines.add(waitMs, () => finish(false));
      this.#ws.on('pong', seen).on('message', seen).on('close', gone);
    });
  }

  #expire(call: PendingCall): void {
    if (!this.calls.take(call.requestId)) return;
    this.send({ type: 'cancel', requestId: call.requestId });
    const waited = `The world did not answer within ${call.operation.timeoutMs / 1000} s.`;
    call.reject(new ProblemError('client_timeout', waited, { requestId: call.requestId }));
  }

  #abandon(requestId: string): void {
    const call = this.calls.take(requestId);
    if (!call) return;
    this.send({ type: 'cancel', requestId });
    call.reject(new ProblemError('client_timeout', 'The caller hung up.', { requestId }));
  }
}

function tooFast({ bytesPerSecond, framesPerSecond, patienceMs }: InflowLimits): string {
  return `Above ${bytesPerSecond} bytes or ${framesPerSecond} frames a second for ${patienceMs / 1_000} s`;
}
