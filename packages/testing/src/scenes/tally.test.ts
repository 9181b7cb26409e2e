import { createTally } from './tally.ts';
import type { Heard, TallyOptions } from './tally.ts';
import { describe, expect, it } from 'vitest';

const event = (number: number): Heard => ({ kind: 'event', number });
const gap = (dropped?: number): Heard => ({ kind: 'gap', dropped });
const connected = (recovered: boolean): Heard => ({ kind: 'connected', recovered });

function problemsOf(heard: Heard[], sent: number, options: TallyOptions = { from: 1 }) {
  const tally = createTally(options);
  tally.take(connected(false));
  for (const one of heard) tally.take(one);
  tally.end(sent);
  return tally.problems;
}

describe('the tally finds', () => {
  it.each<[string, Heard[], number, string]>([
    ['a hole', [event(1), event(3)], 3, '1 are missing before 3; 0 were told'],
    ['a hole at the start', [event(2)], 2, '1 are missing before 2; 0 were told'],
    ['a hole at the end', [event(1)], 3, '2 are missing before 4; 0 were told'],
    ['a hole that is told too small', [event(1), gap(1), event(4)], 4, '2 are missing before 4; 1 were told'],
    [
      'a hole that is told too large',
      [event(1), gap(3), event(4)],
      4,
      '2 are missing before 4, but 3 were told',
    ],
    ['a gap without a hole', [event(1), gap(1), event(2)], 2, '0 are missing before 2, but 1 were told'],
    ['a repeated event', [event(1), event(2), event(2)], 2, '2 came after 2'],
    ['a wrong order', [event(1), event(3), event(2)], 3, '1 are missing before 3; 0 were told'],
    ['a hole that is told later', [event(1), event(3), gap(1)], 3, '1 are missing before 3; 0 were told'],
    [
      'a hole that `recovered` denies',
      [event(1), connected(true), event(3)],
      3,
      '1 are missing before 3; 0 were told',
    ],
    [
      'a hole beside a world that left',
      [event(1), { kind: 'offline' }, event(3)],
      3,
      '1 are missing before 3; 0 were told',
    ],
  ])('%s', (_what, heard, sent, problem) => {
    expect(problemsOf(heard, sent)[0]).toBe(problem);
  });
});

describe('the tally accepts', () => {
  it.each<[string, Heard[], number, TallyOptions?]>([
    ['every event once and in order', [event(1), event(2), event(3)], 3],
    ['a gap of the right size', [event(1), gap(2), event(4)], 4],
    ['two gaps for one hole', [event(1), gap(2), gap(1), event(5)], 5],
    ['a gap of which nobody knows the size', [event(1), gap(), event(9)], 9],
    ['a return that says that something may be missing', [event(1), connected(false), event(9)], 9],
    [
      'a killed owner’s last events, told as offline',
      [event(1), { kind: 'offline' }, event(3)],
      3,
      { from: 1, isOwnerKilled: true },
    ],
    ['a listener that came late', [event(7), event(8)], 8, {}],
  ])('%s', (_what, heard, sent, options) => {
    expect(problemsOf(heard, sent, options)).toEqual([]);
  });
});
