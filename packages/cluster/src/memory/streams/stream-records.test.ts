import { expect, it } from 'vitest';
import { defaultStreamBounds } from '../../streams/streams.ts';
import { createMemoryHub } from '../memory-hub.ts';
import { addTo, openStream } from './stream-records.ts';

it('an event that is larger than the whole history is told, and not kept', async () => {
  const record = openStream(createMemoryHub(), { clientId: 'client', channel: 'rolls' });
  const heard: number[] = [];
  record.hearers.add((_gen, entries) => heard.push(...entries.map(({ n }) => n)));
  const addition = addTo(record, { ...defaultStreamBounds, historyBytes: 90 });
  addition.entry('conn', { kind: 'event', seq: 1, body: Buffer.from('small') });
  addition.entry('conn', { kind: 'event', seq: 2, body: Buffer.alloc(100) });
  addition.publish();
  await Promise.resolve();
  expect(heard).toEqual([1, 2]);
  expect(record).toMatchObject({ n: 2, seq: 2, entries: [], bytes: 0 });
});
