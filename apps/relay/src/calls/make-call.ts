import type { Operation, ParameterReading, Scope } from '@tabletop-relay/contract';
import type { Via } from '../call-log/call-row.ts';
import type { Sender } from '../endpoint-handler.ts';
import { authorize } from '../keys/authenticate.ts';
import type { KeysByHash, Principal } from '../keys/authenticate.ts';
import type { CallLimits } from '../keys/call-limits.ts';
import type { RelayMetrics } from '../metrics.ts';
import { refusePaused } from '../pauses/pauses.ts';
import { codeOf, invalidFields } from '../problem.ts';
import type { Records } from '../records/records.ts';
import type { KeyedSending } from '../sockets/replies/sent-keys.ts';
import type { WorldReply } from '../sockets/replies/settle-reply.ts';
import { auditOf } from '../records/sender.ts';
import type { Step } from '../tracing/tracing.ts';
import { commandOf, askedBy } from './command.ts';
import type { CallOfUser, Command } from './command.ts';
import { checkReach } from './choose-client.ts';
import type { ChooseClient } from './choose-client.ts';
import type { Attempt, Idempotency } from './idempotency.ts';
import { ignoredNames, auditUse, factsOf } from './log-calls.ts';
import type { CallFacts, LogCalls } from './log-calls.ts';
import type { Router } from './router.ts';

/** A call that a program makes with its key, by whatever way it came: HTTP, or a protocol on top of it. */
export interface KeyCall {
  operation: Operation;
  /** The key, as it was when the request was let in. */
  principal: Principal;
  /** Set where the way in takes rights or worlds from the key, as an assistant's address may: gives the key without them. */
  narrow?(principal: Principal): Principal;
  via: Via;
  /** What the program of an assistant calls itself, where it says so. */
  assistant: string | null;
  requestId: string;
  sender: Sender;
  /** How long the request has been under way, in milliseconds. */
  elapsedMs(): number;
  /** What is told of the call in its log. What becomes known on the way is written into it. */
  facts: CallFacts;
  /** Reads what the caller gave. Throws what is wrong with its form. */
  read(): GivenByCaller;
  /** Where the call is traced. */
  step: Step | undefined;
  /** Aborted when its caller is gone. A call with an idempotency key goes on. */
  signal: AbortSignal;
}

interface GivenByCaller {
  /** The world. */
  named: string | undefined;
  reading: ParameterReading;
  /** A key under which a command is carried out once. */
  idempotencyKey: string | undefined;
}

/** A call that its world has answered. */
export interface MadeCall {
  reply: WorldReply;
  /** By the callers' names, as they were read. */
  parameters: Readonly<Record<string, unknown>>;
  /** Whether the reply was given before, and nothing was sent. */
  isReplay: boolean;
}

/**
 * Carries out a call: calls in flight of its key, parameters, scopes, which world, whether it was made before, the month, pauses, the
 * way to the world, audit, metrics, the call log of a success. `answer` makes the caller's answer of the reply; what it throws is a
 * failure of the call. Rejects with the problem to answer, which whoever answers it has logged by `LogCalls.failed`.
 */
export type MakeCall = <Answer>(call: KeyCall, answer: (made: MadeCall) => Answer) => Promise<Answer>;

export interface MakeCallDeps {
  chooseClient: ChooseClient;
  router: Pick<Router, 'call'>;
  keys: Pick<KeysByHash, 'renew'>;
  limits: Pick<CallLimits, 'enter' | 'monthly'>;
  metrics: Pick<RelayMetrics, 'calls' | 'callSeconds'>;
  records: Pick<Records, 'audit'>;
  logCalls: Pick<LogCalls, 'answered'>;
  idempotency: Pick<Idempotency, 'begin'>;
}

const unchanged = (principal: Principal): Principal => principal;

/** A call that its key may make, whatever its world. */
interface CheckedCall extends CallOfUser {
  named: string | undefined;
  scopes: readonly Scope[];
  parameters: MadeCall['parameters'];
  idempotencyKey: string | undefined;
}

export function createMakeCall(deps: MakeCallDeps): MakeCall {
  const { chooseClient, limits, metrics, logCalls } = deps;
  const { monthly } = limits;

  /** The key as it is now: it may have changed, or been paused, while the body came. */
  async function renew(
    { principal, narrow = unchanged }: KeyCall,
    { scopes }: CheckedCall,
    clientId: string,
  ): Promise<Principal> {
    const renewed = narrow(await deps.keys.renew(principal));
    for (const scope of scopes) authorize(renewed, scope);
    checkReach(renewed.clientIds, clientId);
    refusePaused(renewed, clientId);
    return renewed;
  }

  /** Looks what became of a command with its caller's key. Undefined for any other call. */
  async function begin(call: KeyCall, checked: CheckedCall, clientId: string): Promise<Attempt | undefined> {
    const { wire, idempotencyKey: key } = checked;
    if (key === undefined) return undefined;
    // A replay is let through by the checks of a call, and is that of the user as whom the key acts now.
    const caller = await renew(call, checked, clientId);
    if (caller !== call.principal) commandOf(call.operation, checked, caller, clientId);
    return await deps.idempotency.begin({
      accountId: caller.accountId, credentialId: caller.keyId, clientId, operation: call.operation, wire, key,
    }); // prettier-ignore
  }

  async function send(
    call: KeyCall,
    checked: CheckedCall,
    clientId: string,
    before: Command,
    keyed: KeyedSending | undefined,
  ): Promise<WorldReply> {
    const { operation, step } = call;
    const { scopes } = checked;
    const caller = await renew(call, checked, clientId);
    const command = caller === call.principal ? before : commandOf(operation, checked, caller, clientId);
    // Whoever gave an idempotency key comes back for the answer.
    const signal = keyed ? undefined : call.signal;
    const reply = deps.router.call({
      ...command, operation, caller, askedBy: askedBy(caller, call.via), clientId, keyed, step, signal,
    }); // prettier-ignore
    auditUse(deps.records, scopes, entryOf(call, caller, clientId));
    return await reply;
  }

  return async function makeCall(call, answer) {
    const { operation, facts, narrow = unchanged } = call;
    const principal = narrow(call.principal);
    const startedAt = performance.now();
    const leave = limits.enter(principal);
    let spentAt: number | undefined;
    let settle = monthly.count;
    try {
      const checked = check(call, principal);
      const clientId = await chooseClient(principal, checked.named);
      facts.clientId = factsOf(clientId).clientId;
      const command = commandOf(operation, checked, principal, clientId);
      const begun = await begin(call, checked, clientId);
      const isReplay = begun !== undefined && 'replay' in begun;
      const run = async (keyed?: KeyedSending): Promise<WorldReply> => {
        spentAt = await monthly.spend(principal);
        facts.isCounted = true;
        return await send(call, checked, clientId, command, keyed);
      };
      const reply = isReplay ? begun.replay : await (begun?.run(run) ?? run());
      const answered = answer({ reply, parameters: checked.parameters, isReplay });
      metrics.calls.labels(operation.name, 'ok').inc();
      logCalls.answered({ ...call, tookMs: call.elapsedMs(), isReplay }, reply);
      return answered;
    } catch (error) {
      const code = codeOf(error);
      // Known only after routing: whether the world exists, what its module does. And a pause may come meanwhile.
      if (code === 'client_not_found' || code === 'acting_user_unchecked' || code === 'paused') {
        settle = monthly.refund;
        facts.isCounted = false;
      }
      metrics.calls.labels(operation.name, code).inc();
      throw error;
    } finally {
      if (spentAt !== undefined) settle(principal, spentAt);
      leave();
      metrics.callSeconds.labels(operation.name).observe((performance.now() - startedAt) / 1000);
    }
  };
}

/** All that a call needs: what its parameters reach may need more. */
export const scopesOf = (operation: Operation, wire: Readonly<Record<string, unknown>>): Scope[] => [
  operation.scope,
  ...(operation.scopesFor?.(wire) ?? []),
];

/** Reads a call and notes it for the log. Throws the problem to answer where its caller may not make it so. */
function check({ operation, facts, read }: KeyCall, principal: Principal): CheckedCall {
  const { named, reading, idempotencyKey: key } = read();
  if (!reading.ok) throw invalidFields(reading.errors);
  const { parameters, wire } = reading;
  Object.assign(facts, factsOf(named), { wire, ignored: ignoredNames(reading.ignored) });
  const scopes = scopesOf(operation, wire);
  for (const scope of scopes) authorize(principal, scope);
  const idempotencyKey = operation.kind === 'command' ? key : undefined;
  return { named, scopes, parameters, wire, givenUserId: wire['userId'], idempotencyKey };
}

/** The audit entry of a call that is sent, of the scopes that ask for one. */
const entryOf =
  ({ operation, sender }: KeyCall, { accountId, keyId: subjectId }: Principal, clientId: string) =>
  (scopes: Scope[]) => ({
    event: 'operation.used' as const,
    accountId,
    clientId,
    subjectId,
    detail: { operation: operation.name, scopes },
    ...auditOf(sender),
  });
