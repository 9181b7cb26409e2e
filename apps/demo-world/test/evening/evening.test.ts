import { channelNames } from '@tabletop-relay/contract';
import { beforeAll, expect, test } from 'vitest';
import { toldEvents } from '../../src/world/events/told-events.ts';
import { prepareAll } from '../../src/world/operations/preparations.ts';
import { Refusal } from '../../src/world/refusal.ts';
import { createWorld } from '../../src/world/world.ts';
import { aroundIt } from './around-it.ts';
import { atTheTable } from './at-the-table.ts';
import type { Step } from './step.ts';
import { createWriter } from './write-down.ts';
import type { Writer } from './write-down.ts';

beforeAll(prepareAll);

/** A hook's arguments are whole documents, so the long ones are told by their marks alone. */
const hookOf = ({ hook, args }: Record<string, unknown>, write: Writer): string =>
  `hook ${String(hook)}: ${(args as unknown[]).map((argument) => write(argument, 400)).join(', ')}`;

/** Each step with what the world answers, and what it tells on its channels. */
function play(steps: readonly Step[]): string {
  const world = createWorld({ seed: 7, now: () => Date.UTC(2026, 0, 1) });
  const write = createWriter();
  const lines: string[] = [];
  world.subscribe(({ before, state }) => {
    for (const channel of channelNames)
      for (const event of toldEvents[channel](before, state))
        lines.push(channel === 'hooks' ? hookOf(event, write) : `${channel}: ${write(event)}`);
  });
  for (const step of steps) {
    lines.push('', `> ${step.map((part) => (typeof part === 'string' ? part : write(part))).join(' ')}`);
    try {
      const [operation, parameters = {}, userId] = step;
      if (typeof operation === 'string') lines.push(write(world.answer(operation, parameters, { userId })));
      else world.perform(operation);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      lines.push(`refused: ${error.code}, ${error.message}`);
    }
  }
  return `${lines.join('\n').trim()}\n`;
}

// A change that is meant shows in the files after a run with `-u`, where it is read before it is committed.
test.each(Object.entries({ ...atTheTable, ...aroundIt }))(
  'the world answers and tells of %s as is written',
  async (name, steps) => {
    await expect(play(steps)).toMatchFileSnapshot(`written/${name}.txt`);
  },
);
