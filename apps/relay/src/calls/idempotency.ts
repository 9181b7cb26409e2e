import { ClusterUnavailable } from '@tabletop-relay/cluster';
import type { Cluster, Place, Reservation, ReservationEnd } from '@tabletop-relay/cluster';
import type { ErrorCode, Operation } from '@tabletop-relay/contract';
import { createSealer } from '@tabletop-relay/database';
import type { RelaySecrets, Sealer } from '@tabletop-relay/database';
import { createHash } from 'node:crypto';
import { hmacCode } from '../credentials/codes.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { judgeCall, ProblemError } from '../problem.ts';
import type { KeyedSending } from '../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import type { FindDeclared } from '../worlds/declared.ts';
import { replayedHeader } from './idempotency-key.ts';

/** A command that its caller gave a key, as it is about to be sent. */
export interface KeyedCommand {
  accountId: string;
  /** Id of the API key or the connection token. */
  credentialId: string;
  clientId: string;
  operation: Operation;
  /** Its parameters by the names that modules read, with the user as whom it runs. */
  wire: Record<string, unknown>;
  /** The caller's text. */
  key: string;
}

/** Whether a command was carried out before under its key, or may be now. */
export type Attempt = { replay: WorldReply } | { run: RunOnce };

/**
 * Runs a command whose key is reserved, and keeps what becomes of it before that is known to the caller. `send` gets what its module must
 * be told of the key.
 */
export type RunOnce = (send: (keyed: KeyedSending) => Promise<WorldReply>) => Promise<WorldReply>;

export interface Idempotency {
  /**
   * Reserves the key of a command. Rejects with the problem to tell the caller: what became of the command is not known, it still
   * runs, the key is another command's, the account has too many keys, or the store is away. Nothing was sent then.
   *
   * A command of which nothing is known is given to run again where its world is served by the module that got it and that remembers:
   * that one then carries it out once, or answers as before.
   */
  begin(command: KeyedCommand): Promise<Attempt>;
  /** Forgets what is kept of an account. */
  erase(accountId: string): void;
}

export interface IdempotencyDeps {
  reservations: Cluster['reservations'];
  secrets: RelaySecrets;
  feed: Pick<CredentialFeed, 'subscribe'>;
  findDeclared: FindDeclared;
}

/** What is kept of an end. Of a success the body is the text that the world answered. */
type KeptAnswer =
  { body: string } | { problem: { code: ErrorCode; detail: string; fields: ProblemError['fields'] } };

const maxAnswerBytes = 65_536;

/** From the reservation to the sending, and from the answer to its keeping. */
const slackMs = 10_000;

/** Remembers for an hour what became of the commands to which callers gave a key. What is kept is sealed. */
export function createIdempotency({
  reservations,
  secrets,
  feed,
  findDeclared,
}: IdempotencyDeps): Idempotency {
  const sealer = createSealer(secrets);
  const running = new Set<{ place: Place; isErased: boolean }>();

  /** Where the store is away, what it has lapses by itself. */
  const erase = (accountId: string, part?: string): void => {
    for (const one of running) {
      const { group, parts } = one.place;
      if (group === accountId && (part === undefined || parts.includes(part))) one.isErased = true;
    }
    reservations.erase(accountId, part).catch(() => {});
  };
  // Of an account it says that there is a new master key: the old one has the account's id.
  feed.subscribe('any', ({ accountId, subject, subjectId, change }) => {
    if (change === 'revoked' && subject !== 'session') erase(accountId, subjectId);
  });

  return {
    erase: (accountId) => erase(accountId),
    async begin(command) {
      const { operation, accountId, clientId } = command;
      const { place, fingerprint, seal, open } = termsOf(command, sealer);
      const note = seal(fingerprint);
      const declared = await findDeclared(accountId, clientId);
      const named = declared?.remembers;
      // Of this command alone, and no help to whoever reads the store.
      const memory = named && hmacCode(secrets[0], 'memory', `${named} ${fingerprint}`).toString('base64url');
      const reserved = await reservations
        .reserve(place, note, operation.timeoutMs + slackMs, memory)
        .catch((cause: unknown) => {
          throw storeAway(cause);
        });
      if (reserved.outcome === 'full') throw full();
      if (reserved.outcome === 'known')
        return { replay: replayOf(reserved.found, open, fingerprint, declared === undefined) };
      const { token, at: reservedAt, isRepeat } = reserved;
      const madeAt = performance.now();
      const own = { place, isErased: false };
      running.add(own);
      const end = async (what: EndOfCall | undefined) => {
        running.delete(own);
        const ended =
          what === undefined || own.isErased
            ? reservations.free(place, token)
            : reservations.settle(place, token, {
                ...keptEnd(operation, seal, what),
                note,
                memory,
              } satisfies ReservationEnd);
        // Without it the key stays with a command that runs, and then with one of which nothing is known.
        await ended.catch(() => {});
      };
      const keyed = { key: keyFor(place, fingerprint), reservedAt, isRepeat, memory: named };
      return {
        run: async (send) => {
          try {
            // By then others may find it unknown, and ask the module.
            if (performance.now() - madeAt > slackMs) throw tooLate();
            const reply = await send(keyed);
            await end({ reply });
            return reply;
          } catch (error) {
            const ended = endOf(error);
            await end(ended);
            throw isRepeat && ended === undefined ? notAsked(error as ProblemError) : error;
          }
        },
      };
    },
  };
}

/** Without a reply or a problem: it was done, and its answer is not known. */
type EndOfCall =
  | { unknown: true }
  | { reply?: undefined; problem?: undefined }
  | { reply: WorldReply; problem?: undefined }
  | { reply?: undefined; problem: ProblemError };

function keptEnd(operation: Operation, seal: (text: string) => string, end: EndOfCall) {
  if ('unknown' in end) return { state: 'unknown' } as const;
  const { reply, problem } = end;
  if (!reply && !problem) return { state: 'done' } as const;
  if (operation.secretAnswer || (reply?.body.length ?? 0) > maxAnswerBytes) return { state: 'done' } as const;
  const kept: KeptAnswer = reply
    ? { body: reply.body.toString() }
    : { problem: { code: problem.code, detail: problem.message, fields: problem.fields } };
  return { state: 'done', answer: seal(JSON.stringify(kept)) } as const;
}

/** What a failure says of the command; undefined: it was not sent. */
function endOf(error: unknown): EndOfCall | undefined {
  if (!(error instanceof ProblemError)) return { unknown: true };
  if (error.code === 'operation_failed') return { problem: error };
  if (error.code === 'already_done') return {};
  const { outcome } = { ...judgeCall(error.code, 'command'), ...error.fields };
  return outcome === 'not_sent' ? undefined : { unknown: true };
}

/** A command in the terms of the store, which can read none of them. */
function termsOf(command: KeyedCommand, sealer: Sealer) {
  const place = placeOf(command);
  const context = `idempotency ${place.group} ${place.parts.join('/')}`;
  return {
    place,
    fingerprint: fingerprintOf(command),
    seal: (text: string) => sealer.seal(text, context),
    open: (text: string) => sealer.open(text, context),
  };
}

/** The names of keys tell their texts to nobody who reads the store. */
function placeOf({ accountId, credentialId, clientId, key }: KeyedCommand): Place {
  const digest = createHash('sha256').update(key).digest('base64url');
  return { group: accountId, parts: [credentialId, clientId, digest] };
}

/** What its module tells the command by, in a form that says nothing of the caller's text. With other parameters it is another. */
function keyFor({ parts }: Place, fingerprint: string): string {
  return createHash('sha256')
    .update(JSON.stringify([parts, fingerprint]))
    .digest('base64url');
}

/** Two commands with one fingerprint are one command. The order of their parameters does not count. */
function fingerprintOf({ operation, clientId, wire }: KeyedCommand): string {
  const text = JSON.stringify([operation.name, clientId, wire], inOrder);
  return createHash('sha256').update(text).digest('base64url');
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The answer that a reservation has; throws the problem that it has, or the one that stands for it. */
function replayOf(
  { state, note, memory, answer }: Reservation,
  open: (text: string) => string | undefined,
  fingerprint: string,
  isOffline: boolean,
): WorldReply {
  const theirs = open(note);
  // Sealed with a secret that this instance does not have: nothing is known of it.
  if (theirs === undefined) throw outcomeUnknown();
  if (theirs !== fingerprint) throw new ProblemError('idempotency_key_reused');
  if (state === 'running') throw new ProblemError('idempotency_running', undefined, { retryAfterS: 1 });
  // The module that remembers may come back.
  if (state === 'unknown') throw memory !== undefined && isOffline ? worldAway() : outcomeUnknown();
  const text = answer === undefined ? undefined : open(answer);
  if (text === undefined) throw new ProblemError('already_done');
  const kept = JSON.parse(text) as KeptAnswer;
  if ('body' in kept) return { body: Buffer.from(kept.body) };
  const { code, detail, fields } = kept.problem;
  throw new ProblemError(code, detail, { ...fields, headers: { [replayedHeader]: 'true' } });
}

const outcomeUnknown = () => new ProblemError('outcome_unknown');

const worldAway = () =>
  new ProblemError(
    'outcome_unknown',
    'Nobody knows what became of this command but its world, which is offline now. Repeat when it is back: the relay asks it, if it still remembers.',
    { retryable: true, retryAfterS: 1 },
  );

/** The repeat was not sent, which says nothing of the command before it. */
const notAsked = ({ message, headers }: ProblemError) =>
  new ProblemError(
    'outcome_unknown',
    `Nobody knows what became of this command, and its world could not be asked now: ${message}`,
    { retryable: true, headers },
  );

const storeAway = (cause: unknown) =>
  cause instanceof ClusterUnavailable
    ? new ProblemError(
        'unavailable',
        'The relay cannot tell now whether this idempotency key was used. Nothing was sent.',
        { cause },
      )
    : cause;

const tooLate = () =>
  new ProblemError(
    'unavailable',
    'The command could not be sent in time. Nothing was sent; repeat the call.',
  );

const full = () =>
  new ProblemError(
    'overloaded',
    'The account has as many idempotency keys of the last hour as it may. Nothing was sent. Repeat later, or without a key.',
  );
