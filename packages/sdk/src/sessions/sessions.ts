import { addresses } from '@tabletop-relay/contract';
import type { ActiveSession, ConsoleLevel, EndpointTypes } from '@tabletop-relay/contract/types';
import { encryptPassword } from './encrypt-password.ts';
import type { SessionKey } from './encrypt-password.ts';
import { endpointRequest } from '../requests/endpoint-request.ts';

/** Log-in: user, password and address of the tabletop. */
export interface SessionStart {
  /** The tabletop's address. */
  tabletopUrl: string;
  username: string;
  /** Empty for a user without one. It leaves this program encrypted. */
  password: string;
  /** Id or title; without it the world that runs. */
  worldName?: string;
  /** The least that is kept of the page's console. */
  captureBrowserConsole?: ConsoleLevel;
}

interface SessionOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Worlds in a browser of the relay. */
export interface Sessions {
  /** Logs in and resolves when the world is online. Rejects with `RelayError`; `problem.stage` says how far it came. */
  start(session: SessionStart, options?: SessionOptions): Promise<EndpointTypes['startSession']['answer']>;
  list(options?: SessionOptions): Promise<ActiveSession[]>;
  end(sessionId: string, options?: SessionOptions): Promise<void>;
}

export type SendEndpoint = (request: {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
  options: SessionOptions & { timeoutMs: number };
}) => Promise<object>;

/** The relay's own time for a start, and 10 s for the way: its answer says how far the session came. */
const startMs = 130_000;
const otherMs = 15_000;

export function createSessions(send: SendEndpoint): Sessions {
  return {
    async start({ tabletopUrl, username, password, worldName, captureBrowserConsole }, options = {}) {
      const shaken = (await send({
        ...endpointRequest(addresses.handshake),
        headers: {
          'x-tabletop-url': tabletopUrl,
          'x-username': asHeader(username),
          ...(worldName && { 'x-world-name': asHeader(worldName) }),
        },
        options: { timeoutMs: otherMs, ...options },
      })) as SessionKey & { token: string };
      const encryptedPassword = await encryptPassword(shaken, password);
      const body = { handshakeToken: shaken.token, encryptedPassword, captureBrowserConsole };
      return (await send({
        ...endpointRequest(addresses.startSession, body),
        options: { timeoutMs: startMs, ...options },
      })) as EndpointTypes['startSession']['answer'];
    },
    async list(options = {}) {
      const answer = await send({
        ...endpointRequest(addresses.listActiveSessions),
        options: { timeoutMs: otherMs, ...options },
      });
      return (answer as EndpointTypes['listActiveSessions']['answer']).activeSessions;
    },
    async end(sessionId, options = {}) {
      await send({
        ...endpointRequest(addresses.endHeadlessSession, { sessionId }),
        options: { timeoutMs: otherMs, ...options },
      });
    },
  };
}

/** `fetch` takes the characters of Latin-1 in a header, one for each byte: the relay reads these as UTF-8. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
