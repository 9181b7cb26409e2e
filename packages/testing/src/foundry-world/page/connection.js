import { randomID } from './utils.js';

/** The socket to the server: requests with an answer, and messages of the other browsers. */
export function connect(query) {
  const waiting = new Map();
  const handlers = new Map();
  const state = { socket: undefined, isOpen: false, isClosed: false };
  const emit = (op, ...args) => {
    for (const handle of handlers.get(op) ?? []) handle(...args);
  };

  function open() {
    const address = new URL(`/socket?${new URLSearchParams(query)}`, location.href);
    address.protocol = 'ws:';
    const socket = new WebSocket(address);
    state.socket = socket;
    socket.addEventListener('open', () => {
      state.isOpen = true;
      emit('$open');
    });
    socket.addEventListener('message', ({ data }) => {
      const { op, id, error, result, ...rest } = JSON.parse(data);
      if (op !== 'answer') return emit(op, rest);
      const request = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) request?.reject(new Error(error));
      else request?.resolve(result);
    });
    socket.addEventListener('close', ({ code }) => {
      const wasOpen = state.isOpen;
      state.isOpen = false;
      if (wasOpen) emit('$close');
      // 4401: the session is over. Else the socket comes back by itself, as the tabletop's does.
      if (!state.isClosed && code !== 4401) setTimeout(open, 1000);
    });
  }
  open();

  return {
    on(op, handle) {
      handlers.set(op, [...(handlers.get(op) ?? []), handle]);
    },
    send: (op, message = {}) => state.socket.send(JSON.stringify({ op, ...message })),
    request(op, message = {}) {
      const id = randomID(8);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        if (!state.isOpen) return reject(new Error('the connection to the server is gone'));
        state.socket.send(JSON.stringify({ op, id, ...message }));
      });
    },
    isOpen: () => state.isOpen,
    close() {
      state.isClosed = true;
      state.socket.close();
    },
  };
}

/** `game.socket`: what a module may do with the connection. Events of other modules, and of the core, have other names. */
export function gameSocket(connection) {
  const listeners = new Map();
  connection.on('emitted', ({ event, args, sender }) => {
    for (const { run, once } of listeners.get(event) ?? []) {
      if (once) socket.off(event, run);
      // The server's word for who sent it stands last.
      run(...args, sender);
    }
  });
  connection.on('$open', () => dispatch('connect'));
  connection.on('$close', () => dispatch('disconnect'));
  const dispatch = (event) => {
    for (const { run } of listeners.get(event) ?? []) run();
  };
  const add = (event, run, once) => {
    listeners.set(event, [...(listeners.get(event) ?? []), { run, once }]);
    return socket;
  };
  const socket = {
    on: (event, run) => add(event, run, false),
    once: (event, run) => add(event, run, true),
    off(event, run) {
      listeners.set(
        event,
        (listeners.get(event) ?? []).filter((listener) => run && listener.run !== run),
      );
      return socket;
    },
    emit(event, ...args) {
      const acknowledge = typeof args.at(-1) === 'function' ? args.pop() : undefined;
      void connection.request('emit', { event, args }).then(() => acknowledge?.());
      return socket;
    },
    get connected() {
      return connection.isOpen();
    },
    get id() {
      return 'stand-in';
    },
    disconnect: () => connection.close(),
  };
  return socket;
}
