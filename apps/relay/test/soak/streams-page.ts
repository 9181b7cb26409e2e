import os from 'node:os';
import type { StreamSoakOptions, StreamTrial } from './streams.ts';

const columns = [
  'What happens',
  'Seconds',
  'Sent',
  'Heard by all',
  'Told as missing',
  'Returns that missed nothing',
  '`client-offline`',
  'Not explained',
];

const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;

const count = (value: number): string => value.toLocaleString('en-US');

/** One row of the table, also printed as soon as its trial has ended. */
export function renderTrial({ name, seconds, sent, counts, problems }: StreamTrial): string {
  const { event, told, recovered, offline } = counts;
  const figures = [sent, event, told, recovered, offline, problems.length].map(count);
  return line([name, seconds.toFixed(0), ...figures]);
}

/** The page `docs/streams-soak.md`. */
export function renderStreamsPage(
  trials: readonly StreamTrial[],
  { listeners }: Pick<StreamSoakOptions, 'listeners'>,
): string {
  return [
    '# Streams under load and faults',
    '',
    'Written by `pnpm soak --streams`. Three relays with a Redis and a Postgres are processes of one machine. In each trial a new world on',
    `our SDK sends numbered events, and ${count(listeners)} listeners follow it on all instances. Whose stream ends comes back with the id of its last event,`,
    'to the instance whose turn it is. Then what each listener heard and was told is compared with what was sent:',
    '',
    '- **Told as missing** are events that a listener did not get and was told of: by `gap`, by `recovered: false`, and, where the',
    '  instance of the world was killed, by the `client-offline` that follows.',
    '- **Not explained** is whatever does not agree: an event that is missing without a word, came twice or in the wrong order, or was',
    '  told as missing and was not. None may be.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...trials.map(renderTrial),
    '',
  ].join('\n');
}
