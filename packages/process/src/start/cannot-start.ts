import { reasonOf } from './reason.ts';
import { cureOfPostgres, cureOfRedis } from './store-cures.ts';

/** The process cannot start before somebody mends something. The message says what and how, so it needs no stack. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

type Store = 'Redis' | 'Postgres';

/** Runs a step of the start that needs a store. `setting` names the store, for whoever has to mend it. */
export async function reaching<T>(store: Store, setting: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const cure = cureOf(store, setting, error);
    if (cure === undefined) throw error;
    throw new CannotStart(`${store} (${setting}) does not take this process: ${reasonOf(error)}. ${cure}`, {
      cause: error,
    });
  }
}

/** Undefined for a bug of ours, which needs its stack. */
function cureOf(store: Store, setting: string, error: unknown): string | undefined {
  if (store === 'Postgres') return cureOfPostgres(setting, error);
  const isBug = [TypeError, RangeError, ReferenceError].some((bug) => error instanceof bug);
  return isBug ? undefined : cureOfRedis(setting, reasonOf(error));
}
