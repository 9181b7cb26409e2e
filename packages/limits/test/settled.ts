const open = Symbol('open');

/** Whether a promise is settled already: whoever awaits it waits for nobody else. */
export const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, Promise.resolve(open)])) !== open;
