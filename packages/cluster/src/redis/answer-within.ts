/** Redis did not answer a command in time. The command may have run. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * Passes an answer of Redis on, or rejects with `NoAnswer` after `ms`. When the time is over it looks once more after the
 * sockets were read. After a long turn of the event loop a timer fires before that: the time-out of ioredis then gave up
 * commands whose answers were there, and a herd of those made the next turn longer still.
 */
export function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(
    () => setImmediate(reject, new NoAnswer(`Redis did not answer within ${ms} ms`)),
    ms,
  );
  answer.then(
    (value) => {
      clearTimeout(timer);
      resolve(value);
    },
    (cause: Error) => {
      clearTimeout(timer);
      reject(cause);
    },
  );
  // ioredis sends some commands of its own whose result it takes by another way.
  promise.catch(() => {});
  return promise;
}
