import { RelayError } from '@tabletop-relay/sdk';
import { expect, test } from 'vitest';
import { createResource } from './resource.ts';

/** A resource whose reads are answered by hand, in any order. */
function resourceByHand() {
  const reads: { answer: (value: string) => void; fail: () => void }[] = [];
  const resource = createResource(
    () =>
      new Promise<string>((resolve, reject) => {
        const fail = () => reject(new RelayError({ code: 'unavailable', detail: 'away' }));
        reads.push({ answer: resolve, fail });
      }),
  );
  return { resource, reads };
}

test('an answer that a later read overtook is shown as long as there is none', async () => {
  const { resource, reads } = resourceByHand();
  const [first, second] = [resource.reload(), resource.reload()];
  reads[0]?.answer('early');
  await first;
  expect(resource.data.value).toBe('early');
  reads[1]?.answer('late');
  await second;
  expect(resource.data.value).toBe('late');
});

test('and never replaces a newer one', async () => {
  const { resource, reads } = resourceByHand();
  const [first, second] = [resource.reload(), resource.reload()];
  reads[1]?.answer('late');
  await second;
  reads[0]?.answer('early');
  await first;
  expect(resource.data.value).toBe('late');
});

test('what was asked for before it was forgotten is not shown', async () => {
  const { resource, reads } = resourceByHand();
  const first = resource.reload();
  resource.forget();
  const second = resource.reload();
  reads[0]?.answer('of another person');
  await first;
  expect(resource.data.value).toBeUndefined();
  reads[1]?.answer('mine');
  await second;
  expect(resource.data.value).toBe('mine');
});

test('a read that failed and was overtaken is no problem', async () => {
  const { resource, reads } = resourceByHand();
  const [first, second] = [resource.reload(), resource.reload()];
  reads[0]?.fail();
  await first;
  expect(resource.problem.value).toBeUndefined();
  reads[1]?.fail();
  await second;
  expect(resource.problem.value?.code).toBe('unavailable');
});
