/**
 * Asks once in `everyMs` at most, and never twice at the same time: whoever asks earlier gets the last answer, or waits for the one that
 * is under way. After a failure the next one asks anew. `now` is no clock that anybody sets: an answer would be kept for as long as that
 * one is set back.
 */
export function oncePer<T>(
  everyMs: number,
  ask: () => Promise<T>,
  now = () => performance.now(),
): () => Promise<T> {
  let last: Promise<T> | undefined;
  /** Until the answer comes it is asked for no more. */
  let askAgainAt = Infinity;
  return () => {
    if (last && now() < askAgainAt) return last;
    const answer = ask();
    [last, askAgainAt] = [answer, Infinity];
    answer.then(
      () => void (askAgainAt = now() + everyMs),
      () => void (last = undefined),
    );
    return answer;
  };
}
