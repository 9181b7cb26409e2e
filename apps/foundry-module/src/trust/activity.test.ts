import { expect, test } from 'vitest';
import { fakeArea } from '../../test/fake-tabletop.ts';
import { createActivity, mostEntries } from './activity.ts';

const bot = { id: 'bot', name: 'Bot', kind: 'key', via: 'http' } as const;
const done = { operation: 'next-turn', target: '', outcome: 'done', reason: '', ms: 1 } as const;

function start(area = fakeArea()) {
  let changes = 0;
  const activity = createActivity({ area, key: 'a', onChange: () => (changes += 1) });
  return { activity, area, changes: () => changes };
}

test('it keeps the last 200, each text of at most 200 letters, and counts what comes again', () => {
  const { activity, changes } = start();
  for (let count = 0; count < mostEntries + 5; count++)
    activity.add({ ...done, target: `${count} ${'x'.repeat(1_000)}` }, bot);
  expect(activity.entries).toHaveLength(mostEntries);
  expect(activity.entries.at(-1)?.target).toHaveLength(200);
  for (let count = 0; count < 3; count++) activity.add(done, bot);
  expect(activity.entries).toHaveLength(mostEntries);
  expect(activity.entries.at(-1)).toMatchObject({ caller: 'Bot', count: 3 });
  activity.add(done, { ...bot, id: 'another of that name' });
  expect(activity.entries.at(-1)).toMatchObject({ caller: 'Bot', count: 1 });
  expect(changes()).toBe(mostEntries + 9);
});

test('it outlives a reload, and what cannot be read is none', () => {
  const { activity, area } = start();
  activity.add(done, bot);
  activity.save();
  expect(start(area).activity.entries).toEqual(activity.entries);
  area.setItem('a', '{');
  expect(start(area).activity.entries).toEqual([]);
});
