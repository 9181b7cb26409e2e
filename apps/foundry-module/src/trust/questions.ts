import type { Scope } from '@tabletop-relay/contract';
import type { CommandCaller, OperationName } from '@tabletop-relay/module-sdk';

/** What a person is asked. All of it is text from outside. */
export interface Asked {
  caller: CommandCaller | undefined;
  operation: OperationName;
  /** The user that the program acts as; undefined: with the game master's rights. */
  userName: string | undefined;
  targets: readonly string[];
  /** What it would write or do, as people read it. */
  values: string;
  code: string | undefined;
  /** What it needs beside its operation's own scope. */
  scopes: readonly Scope[];
  /** The operations that it is another way to do. */
  as: readonly OperationName[];
  /** Whether a code can be allowed for good. */
  isRemembered: boolean;
  /** Whether the program can be allowed more than this command. */
  isFree: boolean;
  /** One command of one program; undefined where neither is known, so that nothing later counts for it. */
  identity: string | undefined;
}

export interface Question extends Asked {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly askedAt: number;
}

/** What a person pressed. `program`: this operation of this program, for an hour. `mute`: no, and no question of it for an hour. */
export type Press = 'no' | 'mute' | 'once' | 'program' | 'code';

/** What became of a question; `later`: nobody has answered in time, and it stays open. */
export type Answer = Press | 'later' | 'too_busy' | 'withdrawn';

export interface Questions {
  readonly open: readonly Question[];
  /** Asks, or answers from what was said before. Resolves after `waitMs` at the latest, and when the signal says that nobody waits any more. */
  ask(asked: Asked, waiting: { waitMs: number; signal: AbortSignal }): Promise<Answer>;
  answer(id: number, press: Press): void;
  /** Answers those that the policy decides by now. */
  settle(decide: (question: Question) => 'once' | 'withdrawn' | undefined): void;
  /** Takes back what was allowed for later; a no stands. */
  forget(): void;
}

export const mostOpen = 3;
const mostOpenOfProgram = 2;
/** In ten minutes. */
export const mostAskedByProgram = 10;
const mostAsked = 30;
export const keptMs = 10 * 60_000;
export const programMs = 60 * 60_000;
/** Calls that wait for one question: those of a program that repeats itself. */
const mostWaiting = 20;
/** Of each list that is kept. */
const mostKept = 200;

/** The questions of this browser. Nothing of them outlives the page. */
// oxlint-disable-next-line max-lines-per-function -- Its short functions share what is remembered.
export function createQuestions({
  onChange,
  now = Date.now,
}: {
  onChange: () => void;
  now?: () => number;
}): Questions {
  let open: Question[] = [];
  let lastId = 0;
  const waiting = new Map<number, Set<(answer: Answer) => void>>();
  /** When each question of the last ten minutes was put, and by whom. */
  let asked: { callerId: string; at: number }[] = [];
  const [allowed, refused, programs, muted] = [until(), until(), until(), until()];

  /** Keys that count until a time. */
  function until() {
    const times = new Map<string, number>();
    return {
      clear: () => times.clear(),
      has: (key: string | undefined) => key !== undefined && (times.get(key) ?? 0) > now(),
      delete: (key: string) => times.delete(key),
      set(key: string | undefined, ms: number) {
        if (key === undefined) return;
        times.delete(key);
        times.set(key, now() + ms);
        for (const [old, end] of times) if (end <= now() || times.size > mostKept) times.delete(old);
      },
    };
  }

  /** One press allows one command: of calls that wait for it the last one is carried out. */
  function close(question: Question, answer: Answer, isOfAll = true): void {
    open = open.filter(({ id }) => id !== question.id);
    const waiters = [...(waiting.get(question.id) ?? [])];
    waiting.delete(question.id);
    waiters.forEach((tell, index) => tell(isOfAll || index === waiters.length - 1 ? answer : 'later'));
    onChange();
  }

  function answerOf({ identity, caller, operation, as, isFree }: Asked): Answer | undefined {
    if (identity !== undefined && allowed.has(identity)) {
      allowed.delete(identity);
      return 'once';
    }
    // Code, and what else is asked about each time, is never a part of what was allowed for an hour.
    if (isFree && caller && programs.has(programKey({ caller, operation, as }))) return 'program';
    if (muted.has(caller?.id ?? '') || refused.has(identity)) return 'no';
    return undefined;
  }

  function isTooMany(callerId: string): boolean {
    asked = asked.filter(({ at }) => at > now() - keptMs);
    const own = asked.filter((one) => one.callerId === callerId).length;
    const ownOpen = open.filter(({ caller }) => (caller?.id ?? '') === callerId).length;
    return (
      open.length >= mostOpen ||
      ownOpen >= mostOpenOfProgram ||
      own >= mostAskedByProgram ||
      asked.length >= mostAsked
    );
  }

  function put(given: Asked): Question | undefined {
    const callerId = given.caller?.id ?? '';
    if (isTooMany(callerId)) return undefined;
    const question = { ...given, id: ++lastId, askedAt: now() };
    asked.push({ callerId, at: question.askedAt });
    open = [...open, question];
    // Nobody comes back for it after that.
    setTimeout(() => {
      if (open.includes(question)) close(question, 'withdrawn');
    }, keptMs);
    onChange();
    return question;
  }

  return {
    get open() {
      return open;
    },

    ask(given, { waitMs, signal }) {
      const known = answerOf(given);
      if (known) return Promise.resolve(known);
      const same = open.find(({ identity }) => identity !== undefined && identity === given.identity);
      const question = same ?? put(given);
      if (!question) return Promise.resolve('too_busy');
      const waiters = waiting.get(question.id) ?? new Set();
      if (waiters.size >= mostWaiting) return Promise.resolve('too_busy');
      waiting.set(question.id, waiters);
      return new Promise((resolve) => {
        const end = (answer: Answer) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', leave);
          waiters.delete(end);
          resolve(answer);
        };
        const leave = () => {
          end('later');
          // Without an identity no later answer counts.
          if (question.identity === undefined) close(question, 'withdrawn');
        };
        const timer = setTimeout(leave, waitMs);
        signal.addEventListener('abort', leave);
        waiters.add(end);
      });
    },

    answer(id, press) {
      const question = open.find((one) => one.id === id);
      if (!question) return;
      const { caller, identity } = question;
      const isNo = press === 'no' || press === 'mute';
      if (press === 'mute') muted.set(caller?.id ?? '', programMs);
      if (isNo) refused.set(identity, keptMs);
      if (press === 'program') programs.set(programKey(question), programMs);
      const isAwaited = (waiting.get(id)?.size ?? 0) > 0;
      if (press === 'once' && !isAwaited) allowed.set(identity, keptMs);
      close(question, press, press !== 'once');
    },

    settle(decide) {
      for (const question of open) {
        const answer = decide(question);
        if (answer) close(question, answer);
      }
    },

    forget() {
      allowed.clear();
      programs.clear();
    },
  };
}

const programKey = ({ caller, operation, as }: Pick<Asked, 'caller' | 'operation' | 'as'>): string =>
  [caller?.id, operation, ...as].join(' ');
