import { expect, test, vi } from 'vitest';
import { fakeTabletop } from '../../test/fake-tabletop.ts';
import { createPauseTeller } from './pause.ts';

test('the relay hears of a pause from any browser, and of its end from one that has heard each change', async () => {
  const { settings } = fakeTabletop();
  let pauses = [{ setIn: 'tabletop' }];
  let hasHeardAll = false;
  const setPause = vi.fn<(isPaused: boolean) => Promise<void>>((isPaused) => {
    pauses = isPaused ? [{ setIn: 'tabletop' }] : [];
    return Promise.resolve();
  });
  const module = () => ({ status: { state: 'connected' }, pauses, setPause }) as never;
  const tell = createPauseTeller(module, () => hasHeardAll, vi.fn<() => void>());
  tell();
  expect(setPause).not.toHaveBeenCalled();
  hasHeardAll = true;
  tell();
  expect(setPause).toHaveBeenLastCalledWith(false, expect.anything());
  await vi.waitFor(() => expect(pauses).toEqual([]));
  hasHeardAll = false;
  settings.set('tabletop-relay.pausedBy', 'Ada');
  await vi.waitFor(() => {
    tell();
    expect(setPause).toHaveBeenLastCalledWith(true, expect.anything());
  });
});
