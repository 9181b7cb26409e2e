/**
 * Timers and visibility of the page, as a browser has them in a hidden tab: no animation frames, timers once a second, and once a
 * minute for chains of five and more after five minutes. On a machine that sleeps nothing runs, and its sockets are lost.
 * A classic script, before all others.
 */
(() => {
  const native = {
    set: globalThis.setTimeout.bind(globalThis),
    clear: globalThis.clearTimeout.bind(globalThis),
  };
  const entries = new Map();
  const frames = new Map();
  const chained = 5;
  const state = { isAsleep: false, isHidden: false, isIntensive: false, since: 0, level: 0, last: 0 };

  function due(entry) {
    if (!state.isHidden) return entry.due;
    const step = state.isIntensive && entry.level >= chained ? 60_000 : 1000;
    const after = Math.max(entry.due, performance.now());
    return state.since + Math.ceil((after - state.since) / step) * step;
  }

  function arm(id, entry) {
    native.clear(entry.native);
    if (state.isAsleep) return;
    entry.native = native.set(() => fire(id, entry), Math.max(0, due(entry) - performance.now()));
  }

  function fire(id, entry) {
    if (!entries.has(id)) return;
    if (entry.every === undefined) entries.delete(id);
    else Object.assign(entry, { due: performance.now() + entry.every, level: entry.level + 1 });
    const outer = state.level;
    state.level = entry.level + 1;
    try {
      if (typeof entry.run === 'function') entry.run(...entry.args);
    } finally {
      state.level = outer;
      if (entry.every !== undefined && entries.has(id)) arm(id, entry);
    }
  }

  function start(run, delay, args, every) {
    const id = ++state.last;
    const entry = {
      run,
      args,
      due: performance.now() + (Number(delay) || 0),
      level: state.level,
      every,
      native: 0,
    };
    entries.set(id, entry);
    arm(id, entry);
    return id;
  }

  function stop(id) {
    native.clear(entries.get(id)?.native);
    entries.delete(id);
  }

  globalThis.setTimeout = (run, delay, ...args) => start(run, delay, args);
  globalThis.setInterval = (run, delay, ...args) => start(run, delay, args, Math.max(4, Number(delay) || 0));
  globalThis.clearTimeout = stop;
  globalThis.clearInterval = stop;
  const nativeFrame = globalThis.requestAnimationFrame.bind(globalThis);
  const requestFrame = (id, run) =>
    nativeFrame((time) => {
      // Hidden in between: it runs when the tab is seen again.
      if (!frames.has(id) || state.isHidden || state.isAsleep) return;
      frames.delete(id);
      run(time);
    });
  globalThis.requestAnimationFrame = (run) => {
    const id = ++state.last;
    frames.set(id, run);
    if (!state.isHidden) requestFrame(id, run);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => void frames.delete(id);
  Object.defineProperty(document, 'visibilityState', { get: () => (state.isHidden ? 'hidden' : 'visible') });
  Object.defineProperty(document, 'hidden', { get: () => state.isHidden });

  function change(isHidden, isIntensive) {
    const changed = state.isHidden !== isHidden;
    Object.assign(state, {
      isHidden,
      isIntensive,
      since: isHidden && changed ? performance.now() : state.since,
    });
    for (const [id, entry] of entries) arm(id, entry);
    if (!isHidden) for (const [id, run] of frames) requestFrame(id, run);
    if (changed) document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }

  const missed = [];
  const sockets = new Set();
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      sockets.add(this);
      this.addEventListener('close', () => sockets.delete(this));
      // The first listener of each: while the machine sleeps, those after it hear nothing.
      for (const type of ['message', 'close', 'error']) {
        this.addEventListener(type, (event) => {
          if (!state.isAsleep) return;
          event.stopImmediatePropagation();
          if (type === 'close')
            missed.push(() => this.dispatchEvent(new CloseEvent('close', { code: 1006 })));
        });
      }
    }
  };

  function sleep(isAsleep) {
    state.isAsleep = isAsleep;
    document.dispatchEvent(new Event(isAsleep ? 'freeze' : 'resume'));
    for (const [id, entry] of entries) arm(id, entry);
    // The other sides give them up, and the page hears of that when the machine wakes.
    if (isAsleep) {
      for (const socket of sockets) socket.close();
      return;
    }
    for (const [id, run] of frames) requestFrame(id, run);
    for (const tell of missed.splice(0)) tell();
  }

  globalThis.standIn = {
    sleep: () => sleep(true),
    wake: () => sleep(false),
    hide: ({ minutes = 0 } = {}) => change(true, minutes >= 5),
    show: () => change(false, false),
    /** Timers that wait now: how long each still has, and whether it repeats. */
    timers: () => [...entries.values()].map(({ due, every }) => ({ in: due - performance.now(), every })),
    /** The stand-in's own waits, which no throttling touches. */
    wait: (ms) => new Promise((resolve) => native.set(resolve, ms)),
  };
})();
