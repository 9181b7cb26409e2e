import type { ModuleStatus } from '@tabletop-relay/module-sdk';
import { Value } from 'typebox/value';
import type { WebSocket } from 'ws';
import type { LivePageMessage, LiveWorldMessage } from '../world/live.ts';
import { livePageMessageSchema } from '../world/live.ts';
import { Refusal } from '../world/refusal.ts';
import type { World } from '../world/world.ts';

/** The pages that watch a world. */
export interface LiveLink {
  /** Takes a page's socket for as long as it is open. */
  add(socket: WebSocket): void;
  /** Sends every page the state of the connection to the relay. */
  tellRelay(status: ModuleStatus): void;
  close(): void;
}

const pageLimit = 32;
const maxWaitingBytes = 1024 * 1024;
const tooManyPages = 1013;
const goingAway = 1001;

/**
 * Sends the world's state to its pages, once per tick however much changed, and does what they ask. A page that
 * reads slowly skips states and gets the newest; none waits for another. `onError` is called with unexpected errors.
 */
export function createLiveLink(world: World, onError: (error: unknown) => void): LiveLink {
  const pages = new Map<WebSocket, Page>();
  let relay: LiveWorldMessage = { relay: 'connecting' };
  let scheduled = false;

  const unsubscribe = world.subscribe(() => {
    if (scheduled || pages.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const text = print({ state: world.state() });
      for (const page of pages.values()) page.show(text);
    });
  });

  const act = (text: string): LiveWorldMessage => {
    const message = readMessage(text);
    if (message instanceof Refusal) return refused(null, message);
    try {
      world.perform(message.action);
      return { done: message.id };
    } catch (error) {
      if (error instanceof Refusal) return refused(message.id, error);
      onError(error);
      return refused(message.id, new Refusal('internal', 'That went wrong in the world itself'));
    }
  };

  return {
    add(socket) {
      if (pages.size >= pageLimit) return socket.close(tooManyPages, 'Too many pages are open');
      pages.set(socket, createPage(socket));
      socket.on('message', (data: Buffer, isBinary) => {
        // The page goes on asking and reads no answer.
        if (socket.bufferedAmount > maxWaitingBytes) return socket.terminate();
        socket.send(print(isBinary ? refused(null, notText) : act(data.toString())));
      });
      socket.on('close', () => pages.delete(socket));
      socket.on('error', () => socket.terminate());
      socket.send(print(relay));
      pages.get(socket)?.show(print({ state: world.state() }));
    },

    tellRelay({ state }) {
      relay = { relay: state === 'connected' || state === 'connecting' ? state : 'away' };
      for (const socket of pages.keys()) socket.send(print(relay));
    },

    close() {
      unsubscribe();
      for (const socket of pages.keys()) socket.close(goingAway, 'The world is closing');
    },
  };
}

interface Page {
  /** Sends a state now, or as soon as the one before has left and if no newer one came meanwhile. */
  show(text: string): void;
}

function createPage(socket: WebSocket): Page {
  let sending = false;
  let next: string | undefined;
  const show = (text: string): void => {
    if (sending) {
      next = text;
      return;
    }
    sending = true;
    socket.send(text, (error) => {
      sending = false;
      const newer = next;
      next = undefined;
      if (!error && newer !== undefined) show(newer);
    });
  };
  return { show };
}

const notText = new Refusal('bad_message', 'Messages are JSON text');
const notAnAction = new Refusal('bad_message', 'This is not an action of the page');

function readMessage(text: string): LivePageMessage | Refusal {
  try {
    const message: unknown = JSON.parse(text);
    return Value.Check(livePageMessageSchema, message) ? message : notAnAction;
  } catch {
    return notText;
  }
}

function refused(id: number | null, { code, message }: Refusal): LiveWorldMessage {
  return { refused: { id, code, message } };
}

function print(message: LiveWorldMessage): string {
  return JSON.stringify(message);
}
