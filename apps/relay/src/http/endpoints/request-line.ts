import type { onRequestHookHandler } from 'fastify';

/**
 * A hook that lets one request begin in each turn of the event loop, in their order, so that calls are served in
 * between: each turn takes all calls and answers of worlds that have come meanwhile. Where strangers send hundreds of
 * requests at once, the turn that does all of them would keep every call waiting.
 */
export function createRequestLine(): onRequestHookHandler {
  const waiting: (() => void)[] = [];
  let hasBegun = false;

  function nextTurn(): void {
    const begin = waiting.shift();
    hasBegun = begin !== undefined;
    if (!begin) return;
    setImmediate(nextTurn);
    begin();
  }

  return (_request, _reply, done) => {
    if (hasBegun) waiting.push(done);
    else {
      hasBegun = true;
      setImmediate(nextTurn);
      done();
    }
  };
}
