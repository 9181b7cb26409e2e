import type { CommonReason } from '@tabletop-relay/contract';
import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { findUser } from '../operations/acting.ts';
import type { ActingUser } from '../operations/acting.ts';
import type { Guard, GuardedCall } from '../operations/call.ts';
import type { Activity } from './activity.ts';
import { approve, hashOf, isApproved } from './code.ts';
import { needsOf } from './needs.ts';
import type { Needs } from './needs.ts';
import { operationFacts, usualTimeoutMs } from './operation-facts.ts';
import { codeScopes, guardedScopes, levelOfCall, levelOfScope } from './policy.ts';
import type { Policy } from './policy.ts';
import type { Answer, Press, Questions } from './questions.ts';
import type { Touch } from './touch.ts';
import { mostLetters, valuesOf } from './values.ts';

/** Where what the game master decides lies: settings of the world, so that each of its browsers goes by it. */
export interface TrustSettings {
  readPolicy(): Policy;
  writePolicy(policy: Policy): Promise<unknown>;
  /** Who paused the world; empty where nobody did. */
  readPausedBy(): string;
}

export interface TrustOptions {
  settings: TrustSettings;
  questions: Questions;
  activity: Activity;
  /** Nobody sits at this browser, so that nobody can be asked. */
  isHeadless: () => boolean;
  touch: Pick<Touch, 'isSure' | 'settled'>;
}

/** The longest that a call waits for a person, and what is left of its caller's patience for the answer. */
const longestWaitMs = 20_000;
const sparedMs = 2_000;

export interface Trust {
  guard: Guard;
  /** Whether events may be sent. */
  mayTell(): boolean;
  isPaused(): boolean;
  /** Stops everything at once, before the tabletop's server knows it. */
  pause(): void;
  /** Lifts what was stopped here and never came to the tabletop's server. */
  resume(): void;
  /** Takes back all questions. */
  withdraw(): void;
  /** The settings are other ones now. */
  changed(): void;
  answer(id: number, press: Press): Promise<void>;
}

/** The game master's own hand on what programs do: looked at with each call, in the one way that leads to a handler. */
// oxlint-disable-next-line max-lines-per-function -- Its short functions share the policy as it stands.
export function createTrust({ settings, questions, activity, isHeadless, touch }: TrustOptions): Trust {
  let policy = settings.readPolicy();
  let isWorldPaused = settings.readPausedBy() !== '';
  /** Pressed here, and not yet known to the tabletop's server. */
  let isPressed = false;
  const isPaused = () => isPressed || isWorldPaused;

  async function assertRunning(): Promise<void> {
    const isSure = await touch.settled();
    if (isPaused())
      throw new OperationRefused('The game master has paused all programs in the tabletop', 'paused');
    if (!isSure) {
      throw new OperationRefused(
        'This browser has lost the tabletop’s server, and would not hear that programs are paused',
        'paused',
      );
    }
  }

  /** Refuses what is denied, and asks for what asks. */
  async function permit(call: GuardedCall, user: ActingUser, needs: Needs): Promise<void> {
    const { name, context } = call;
    const level = levelOfCall(policy, name, needs);
    if (level === 'deny') throw denied(name);
    // There is no such macro, which is the handler's to say: it runs nothing that was not looked at.
    if (needs.code === undefined && codeScopes.includes(operationFacts[name].scope)) return;
    const hash = needs.code === undefined ? undefined : await hashOf(needs.code);
    if (level === 'allow' && needs.code === undefined) return;
    if (needs.code !== undefined && isApproved(policy, context.caller, hash)) return;
    if (isHeadless()) throw refusal('policy', 'In a headless session nobody can be asked');
    const answer = await ask(call, user, { ...needs, hash });
    await assertRunning();
    if (levelOfCall(policy, name, needs) === 'deny') throw denied(name);
    assertAllowed(answer);
    const { uuids, code } = await needsOf(name, call.parameters, user);
    if (code === needs.code && String(uuids) === String(needs.uuids)) return;
    throw refusal(
      'asked',
      'What it would be done to, or its code, is no longer what the game master was shown',
    );
  }

  async function ask(
    { name, parameters, context }: GuardedCall,
    user: ActingUser,
    { targets, uuids, code, hash, scopes, as }: Needs & { hash: string | undefined },
  ): Promise<Answer> {
    const { caller, userId, signal } = context;
    const values = valuesOf(parameters, code);
    if ((code?.length ?? 0) + values.length + targets.join(', ').length > mostLetters) {
      throw refusal('policy', 'What the game master would have to read is too long to be asked about');
    }
    const { timeoutMs = usualTimeoutMs } = operationFacts[name];
    const waitMs = Math.min(longestWaitMs, timeoutMs - sparedMs);
    const command = caller && JSON.stringify([caller.id, name, userId, parameters, uuids, code]);
    const question = {
      caller,
      operation: name,
      userName: user?.name,
      targets,
      values,
      code,
      scopes,
      as,
      isRemembered: caller !== undefined && hash !== undefined,
      isFree:
        caller !== undefined &&
        code === undefined &&
        scopes.length === 0 &&
        !as.includes('update') &&
        !isGuarded(name),
      identity: command && ((await hashOf(command)) ?? command),
    };
    return await questions.ask(question, { waitMs, signal });
  }

  async function run(
    call: GuardedCall,
    told: { target: string },
    inner: Parameters<Guard>[1],
  ): Promise<unknown> {
    const { name, parameters, context } = call;
    await assertRunning();
    // Before anything is looked up: who is denied learns nothing of the world.
    if (levelOfCall(policy, name) === 'deny') throw denied(name);
    const user = context.userId === undefined ? null : findUser(context.userId);
    const needs = await needsOf(name, parameters, user);
    told.target = needs.targets.join(', ');
    await permit(call, user, needs);
    // It may have been pressed while something was looked up.
    await assertRunning();
    return await inner({ user, code: needs.code });
  }

  return {
    async guard(call, inner) {
      const startedAt = performance.now();
      const told = { target: '' };
      const end = (outcome: 'done' | 'refused' | 'failed', reason = '') => {
        const ms = Math.round(performance.now() - startedAt);
        activity.add({ operation: call.name, target: told.target, outcome, reason, ms }, call.context.caller);
      };
      try {
        const result = await run(call, told, inner);
        end('done');
        return result;
      } catch (error) {
        if (error instanceof OperationRefused) end('refused', error.code ?? error.message);
        else end('failed', String(error));
        throw error;
      }
    },

    mayTell: () => touch.isSure() && !isPaused() && levelOfScope(policy, 'events:subscribe') === 'allow',

    isPaused,

    pause() {
      isPressed = true;
      questions.forget();
      questions.settle(() => 'withdrawn');
    },

    resume: () => void (isPressed = false),

    withdraw: () => questions.settle(() => 'withdrawn'),

    changed() {
      const before = levelsIn(policy);
      policy = settings.readPolicy();
      isWorldPaused = settings.readPausedBy() !== '';
      // What was pressed here stands until the world has it, whatever else is written meanwhile.
      if (isWorldPaused) isPressed = false;
      if (isPaused() || levelsIn(policy) !== before) questions.forget();
      questions.settle(({ operation, code, ...needs }) => {
        const level = levelOfCall(policy, operation, needs);
        if (isPaused() || level === 'deny') return 'withdrawn';
        return level === 'allow' && code === undefined ? 'once' : undefined;
      });
    },

    async answer(id, press) {
      const question = questions.open.find((one) => one.id === id);
      if (press === 'code' && question?.caller && question.code !== undefined) {
        const hash = await hashOf(question.code);
        if (hash !== undefined) {
          policy = approve(settings.readPolicy(), question.caller, hash);
          await settings.writePolicy(policy);
        }
      }
      questions.answer(id, press);
    },
  };
}

/** A policy without the codes that are approved. */
const levelsIn = ({ preset, scopes, operations }: Policy): string =>
  JSON.stringify([preset, scopes, operations]);

const isGuarded = (name: OperationName): boolean => guardedScopes.includes(operationFacts[name].scope);

const refusal = (code: CommonReason, words: string): OperationRefused => new OperationRefused(words, code);

const denied = (name: OperationName): OperationRefused =>
  refusal(
    'policy',
    `The game master’s settings do not let programs do this (${name}): they are changed in the tabletop, in the window “Tabletop Relay”`,
  );

/** Refuses what nobody has allowed. */
function assertAllowed(answer: Answer): void {
  switch (answer) {
    case 'once':
    case 'program':
    case 'code':
      return;
    case 'no':
    case 'mute':
      throw refusal('denied', 'The game master said no');
    case 'too_busy':
      throw refusal('too_busy', 'Too many questions wait for the game master: try later');
    default:
      throw refusal(
        'asked',
        'The game master is asked in the tabletop, and has not answered yet. Send the same command again within ten minutes: what they allow by then is carried out',
      );
  }
}
