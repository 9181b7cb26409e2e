import type { SocketIdentity } from '../worlds/socket-identity.ts';
import { closeCodes } from '@tabletop-relay/contract';
import type { CloseName, RelayFrame, WorldMetadata } from '@tabletop-relay/contract';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { AskedElsewhere } from './remote/asked-elsewhere.ts';
import { Inflow, tooFast } from './frames/inflow.ts';
import type { ThrottleStage, InflowLimits } from './frames/inflow.ts';
import { isConnected } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import type { ReplyBytes } from './replies/settle-reply.ts';
import { PendingCalls } from './pending-calls.ts';
import { probe } from './probe.ts';
import type { CallBounds, CallSocket, PendingCallsContext } from './pending-calls.ts';

export interface SocketLimits extends CallBounds {
  /** Bytes of other worlds' answers that may wait for the module. One answer is sent whatever its size. */
  answerQueueBytes: number;
  inflow: InflowLimits;
}

/** A WebSocket and the connection that it runs on. */
export interface SocketLink {
  ws: WebSocket;
  transport: Socket;
}

/** What all sockets of an instance share. */
export interface SocketContext extends PendingCallsContext {
  outbox: Outbox;
  replyBytes: ReplyBytes;
  limits: SocketLimits;
  /** Whether this instance may act for a client of its own: it may not while its lease is in doubt. */
  mayAct(clientId: string): boolean;
  /** A module sends faster than its rates, and is not read for a while. */
  onThrottle(socket: ClientSocket, stage: ThrottleStage): void;
}

/** The heartbeat looks at a socket so many times between two pings. */
export const roundsPerPing = 40;

/** The socket of one connected world, after its authentication. */
export class ClientSocket implements CallSocket {
  readonly identity: SocketIdentity;
  readonly conn: string;
  readonly calls: PendingCalls;
  readonly asked = new AskedElsewhere();
  epoch = 0;
  /** What the cluster was told with the claim; told again when a claim must be restored. */
  meta = '';
  /** Rounds of the heartbeat since the last frame of any kind; starts anywhere, so that pings are spread. */
  quietRounds = Math.floor(Math.random() * roundsPerPing);
  /** It waits: another socket has the client. */
  isStandby = false;
  /** It ended because nothing came from it, so what its module sent last may be missing. */
  isSilent = false;
  /** New calls find the client elsewhere, or not yet anywhere. This socket only ends the calls that it has. */
  isMoving = false;
  /** Set when the client has come over to its next socket: the end of this one is no news to anybody. */
  isSucceeded = false;
  /** The time that the client has to come back when this socket ends by itself; 0 where nobody told it to. */
  returnsWithinMs = 0;
  /** Its module was told to connect to another instance. */
  isLeaving = false;
  /** What the module sends is counted here. */
  readonly inflow: Inflow;
  readonly #ws: WebSocket;
  /** Bytes of other worlds' answers that the module has not read yet. */
  #answerBytes = 0;
  #probing: Promise<boolean> | undefined;
  #leave: ((how: 'succeeded') => void) | undefined;
  #closedWith: number | undefined;
  readonly #transport: Socket;
  readonly #context: SocketContext;

  constructor(link: SocketLink, conn: string, identity: SocketIdentity, context: SocketContext) {
    this.#ws = link.ws;
    this.#transport = link.transport;
    this.conn = conn;
    this.identity = identity;
    this.#context = context;
    const { limits } = context;
    this.calls = new PendingCalls(this, context);
    this.inflow = new Inflow({
      ws: link.ws,
      limits: limits.inflow,
      onThrottle: (stage) => {
        context.onThrottle(this, stage);
        if (stage === 'too long') this.close('temporary', tooFast(limits.inflow));
      },
    });
  }

  /** New calls may take it: it is neither closing nor told to come back elsewhere. */
  get isServing(): boolean {
    return this.isOpen && !this.isMoving;
  }

  get isOpen(): boolean {
    return isConnected(this.#ws, this.#transport);
  }

  get mayAct(): boolean {
    return !this.isMoving && this.#context.mayAct(this.identity.clientId);
  }

  /** Without the answers of other worlds, so that a large one does not refuse commands. */
  get queuedBytes(): number {
    return Math.max(0, this.#ws.bufferedAmount - this.#answerBytes);
  }

  get world(): WorldMetadata {
    return this.identity.world;
  }

  /** Sends one frame, whatever waits already. Nothing may follow the close frame, so a socket that closes sends no more. */
  sendText(text: string): void {
    if (!this.isOpen) return;
    this.#context.outbox.cork(this.#transport);
    // Of a text its socket would count the characters that wait, not the bytes.
    this.#ws.send(Buffer.from(text), { binary: false });
  }

  countReply(bytes: number): (() => void) | undefined {
    return this.#context.replyBytes.count(this, bytes);
  }

  /** Sends a frame, or drops it where the module does not read: no such frame is worth more room than the commands have. */
  send(frame: RelayFrame): void {
    if (!this.isOpen || this.queuedBytes > this.#context.limits.sendQueueBytes) return;
    this.sendText(JSON.stringify(frame));
  }

  /**
   * Sends the answer of another world. False, and nothing is sent, where too much of such answers waits already. A module that
   * has not read it after `patienceMs`, and a second for each 64 KiB, is cut off: its bytes hold up the world that sent them.
   */
  sendAnswer(frame: Buffer, patienceMs: number, onSent: () => void): boolean {
    if (!this.isOpen) return false;
    const { length } = frame;
    const isFull = this.#answerBytes + length > this.#context.limits.answerQueueBytes;
    if (isFull && this.#answerBytes > 0) return false;
    this.#answerBytes += length;
    this.#context.outbox.cork(this.#transport);
    const cutOff = setTimeout(() => this.terminate(), patienceMs + length / 65.536);
    this.#ws.send(frame, { binary: false }, () => {
      clearTimeout(cutOff);
      this.#answerBytes -= length;
      onSent();
    });
    return true;
  }

  /** True when any frame arrives within `waitMs` after a ping. Whoever asks during this time gets the same answer. */
  probe(waitMs: number): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(false);
    // It is alive: it has just sent more than it may. Its answer would not be read in time.
    if (this.inflow.isStopped) return Promise.resolve(true);
    this.#probing ??= probe(this.#ws, waitMs).finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  ping(): void {
    if (this.isOpen) this.#ws.ping();
  }

  /** Takes `startLeaving` back, because the module did not go. Another browser of its world is judged as before. */
  stay(): void {
    this.isLeaving = false;
    this.#leave = undefined;
    this.returnsWithinMs = 0;
  }

  /**
   * Called when the instance drains or has too many worlds. Resolves with `succeeded` when the client's next socket has its
   * claim, with `closed` when this one has ended, and with `late` after `servedMs`.
   */
  startLeaving(times: {
    servedMs: number;
    returnsWithinMs: number;
  }): Promise<'succeeded' | 'closed' | 'late'> {
    this.returnsWithinMs = times.returnsWithinMs;
    this.isLeaving = true;
    return new Promise((resolve) => {
      const end = (how: 'succeeded' | 'closed' | 'late') => {
        clearTimeout(timer);
        this.#ws.off('close', closed);
        if (this.#leave === end) this.#leave = undefined;
        resolve(how);
      };
      const closed = () => end('closed');
      const timer = setTimeout(end, times.servedMs, 'late');
      this.#leave = end;
      this.#ws.once('close', closed);
    });
  }

  /** It is closed for a frame that is none, by `ws` itself. */
  refuseFrame(code: number | undefined): void {
    this.#closedWith ??= code;
  }

  /** The code of its end: the relay's own where the relay closed it, whatever the module answered to that. */
  endCode(code: number): number {
    return this.#closedWith ?? code;
  }

  /** Another owner has the client: after `startLeaving` its own next socket, else another browser. */
  supersede(): void {
    if (this.isLeaving) this.handOver();
    else this.close('duplicate');
  }

  /** Its own next socket has the client; calls in flight end on this one. False where `startLeaving` did not wait so long. */
  handOver(): boolean {
    const leave = this.#leave;
    this.isMoving = this.isSucceeded = true;
    leave?.('succeeded');
    return leave !== undefined;
  }

  close(name: CloseName, reason: string = closeCodes[name].meaning): void {
    // A module that is closed for any other reason was not told to come back.
    if (name !== 'goingAway') this.returnsWithinMs = 0;
    // A second reason is not sent: the module knows the first.
    this.#closedWith ??= closeCodes[name].code;
    this.#ws.close(closeCodes[name].code, reason.slice(0, 120));
  }

  /** A large frame that does not end would keep the frames of others waiting. */
  giveUpFrame(): void {
    this.close('temporary', 'A large frame was not whole in time');
    this.calls.endFor('did not send a large message in time');
  }

  /** The connection has ended: so do the calls to the world, and what its module asked elsewhere. */
  endCalls(): void {
    this.calls.failAll('The world’s connection ended while its answer was awaited.');
    this.asked.abandonAll();
  }

  /** Ends the connection without a word: for a peer that does not answer. */
  giveUp(): void {
    this.isSilent = true;
    this.terminate();
  }

  /** Ends the connection without a word. */
  terminate(): void {
    this.#ws.terminate();
  }
}
