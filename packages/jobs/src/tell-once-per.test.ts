import { afterEach, expect, it, vi } from 'vitest';
import { tellOncePer } from './tell-once-per.ts';

afterEach(() => void vi.useRealTimers());

it('of what fails each second one line a minute is told', () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const tell = tellOncePer(60_000, (message) => told.push(message));
  for (let second = 0; second < 150; second += 1) {
    tell(`failure ${second}`);
    vi.advanceTimersByTime(1_000);
  }
  expect(told).toEqual(['failure 0', 'failure 60', 'failure 120']);
});
