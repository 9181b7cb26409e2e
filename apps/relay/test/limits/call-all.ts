import { call } from '@tabletop-relay/testing/scenes';
import type { Answer } from '@tabletop-relay/testing/scenes';
import type { TestInstance } from '../instances.ts';

/** A call of the key that no world has to answer. */
export const list = (instance: TestInstance, apiKey: string): Promise<Answer> =>
  call(instance.url, 'GET', '/clients', { headers: { 'x-api-key': apiKey } });

/** Calls from all instances at once. */
export async function callAll(
  instances: readonly TestInstance[],
  apiKey: string,
  count: number,
): Promise<Answer[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) =>
      list(instances[index % instances.length] as TestInstance, apiKey),
    ),
  );
}

export const header = (answer: Answer, name: string) => Number(answer.headers.get(name));

export const allowedOf = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 200).length;
