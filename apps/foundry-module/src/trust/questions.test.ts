import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQuestions, keptMs, mostAskedByProgram, mostOpen, programMs } from './questions.ts';
import type { Asked, Press, Questions } from './questions.ts';

let questions: Questions;
const onChange = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  onChange.mockReset();
  questions = createQuestions({ onChange });
});
afterEach(() => void vi.useRealTimers());

const bot = { id: 'bot', name: 'Bot', kind: 'key', via: 'http' } as const;

const asked = (identity: string, more: Partial<Asked> = {}): Asked => ({
  caller: bot,
  operation: 'delete',
  userName: undefined,
  targets: [],
  values: '',
  code: undefined,
  scopes: [],
  as: [],
  isRemembered: false,
  isFree: true,
  identity,
  ...more,
});

const waitMs = 8_000;

function ask(given: Asked) {
  const abort = new AbortController();
  let answer: string | undefined;
  void questions.ask(given, { waitMs, signal: abort.signal }).then((one) => (answer = one));
  return {
    abort: () => abort.abort(),
    /** What it came to so far. */
    async told() {
      await vi.advanceTimersByTimeAsync(0);
      return answer;
    },
  };
}

const press = (how: Press) => questions.answer(questions.open[0]!.id, how);
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a press answers the call that waits', async () => {
  for (const how of ['once', 'no', 'program', 'code'] as const) {
    questions = createQuestions({ onChange });
    const call = ask(asked('a'));
    expect(await call.told()).toBeUndefined();
    press(how);
    expect([await call.told(), questions.open]).toEqual([how, []]);
  }
});

describe('where nobody answers in time', () => {
  test('the call ends, the question stays for ten minutes, and what is allowed then counts once for the same command', async () => {
    const call = ask(asked('a'));
    await later(waitMs);
    expect(await call.told()).toBe('later');
    expect(questions.open).toHaveLength(1);
    press('once');
    expect(questions.open).toEqual([]);
    await later(keptMs - 1);
    expect(await ask(asked('a')).told()).toBe('once');
    const again = ask(asked('a'));
    expect([await again.told(), questions.open.length]).toEqual([undefined, 1]);
  });

  test('it counts for ten minutes, and for no other command', async () => {
    ask(asked('a'));
    await later(waitMs);
    press('once');
    const other = ask(asked('b'));
    expect(await other.told()).toBeUndefined();
    press('no');
    await later(keptMs);
    expect(await ask(asked('a')).told()).toBeUndefined();
  });

  test('the question goes after ten minutes', async () => {
    ask(asked('a'));
    await later(keptMs);
    expect(questions.open).toEqual([]);
  });

  test('a repeat waits at the same question, and one press carries out one of them', async () => {
    const first = ask(asked('a'));
    const second = ask(asked('a'));
    expect(questions.open).toHaveLength(1);
    press('once');
    expect([await first.told(), await second.told()]).toEqual(['later', 'once']);
  });

  test('a caller that left is as one whose time is over', async () => {
    const call = ask(asked('a'));
    call.abort();
    expect(await call.told()).toBe('later');
    press('once');
    expect(await ask(asked('a')).told()).toBe('once');
  });

  test('of a program that is not known nothing stays', async () => {
    const unknown = asked('', { identity: undefined, caller: undefined });
    const call = ask(unknown);
    await later(waitMs);
    expect([await call.told(), questions.open]).toEqual(['later', []]);
  });
});

describe('an answer that is for more than one command', () => {
  test('allows the operation to that program for an hour, and to no other', async () => {
    ask(asked('a'));
    press('program');
    expect(await ask(asked('b')).told()).toBe('program');
    expect(await ask(asked('c', { operation: 'update' })).told()).toBeUndefined();
    expect(await ask(asked('d', { caller: { ...bot, id: 'other' } })).told()).toBeUndefined();
    await later(programMs);
    expect(await ask(asked('e')).told()).toBeUndefined();
  });

  test('never covers code or a guarded scope of the same operation: what cannot be allowed so is asked about', async () => {
    ask(asked('a'));
    press('program');
    const code = ask(asked('b', { isFree: false, code: 'run()' }));
    expect([await code.told(), questions.open.length]).toEqual([undefined, 1]);
  });

  test('ends when the game master pauses or changes the policy', async () => {
    ask(asked('a'));
    press('program');
    ask(asked('b', { operation: 'update' }));
    await later(waitMs);
    press('once');
    questions.forget();
    expect(await ask(asked('c')).told()).toBeUndefined();
    expect(await ask(asked('b', { operation: 'update' })).told()).toBeUndefined();
  });

  test('a no holds for that command for ten minutes, and the one for the program for an hour', async () => {
    ask(asked('a'));
    press('no');
    expect(await ask(asked('a')).told()).toBe('no');
    ask(asked('b'));
    press('mute');
    expect(await ask(asked('c')).told()).toBe('no');
    expect(await ask(asked('d', { caller: { ...bot, id: 'other' } })).told()).toBeUndefined();
    await later(programMs);
    expect(await ask(asked('a')).told()).toBeUndefined();
  });
});

describe('a program that asks a hundred times', () => {
  test('has two questions open, and leaves one to others', async () => {
    const told = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ask(asked(String(index))).told()),
    );
    expect(told.filter((one) => one === 'too_busy')).toHaveLength(98);
    expect(questions.open).toHaveLength(2);
    expect(await ask(asked('x', { caller: { ...bot, id: 'other' } })).told()).toBeUndefined();
    expect(questions.open).toHaveLength(mostOpen);
    expect(await ask(asked('y', { caller: { ...bot, id: 'third' } })).told()).toBe('too_busy');
  });

  test('asks ten times in ten minutes, whatever it is told', async () => {
    let put = 0;
    for (let count = 0; count < 100; count++) {
      ask(asked(String(count)));
      if (questions.open.length === 0) continue;
      put += 1;
      press('no');
    }
    expect(put).toBe(mostAskedByProgram);
    await later(keptMs);
    ask(asked('again'));
    expect(questions.open).toHaveLength(1);
  });

  test('repeats itself twenty times at one question and no more', async () => {
    const calls = Array.from({ length: 30 }, () => ask(asked('a')));
    const told = await Promise.all(calls.map((one) => one.told()));
    expect(told.filter((one) => one === 'too_busy')).toHaveLength(10);
  });
});

test('questions that the policy decides by now are settled', async () => {
  const calls = [ask(asked('a')), ask(asked('b', { operation: 'update' }))];
  questions.settle(({ operation }) => (operation === 'update' ? 'once' : 'withdrawn'));
  expect(await Promise.all(calls.map((one) => one.told()))).toEqual(['withdrawn', 'once']);
  expect(questions.open).toEqual([]);
});
