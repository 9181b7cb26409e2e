import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gamePage, joinPage, licensePage, authPage, setupPage } from './foundry-pages.ts';
import type { FoundryStandInOptions, StandInState, StandInUser } from './foundry-state.ts';

export interface FoundryStandIn {
  /** Without a slash at the end. */
  url: string;
  state: StandInState;
  /** How often a world was started. */
  launches: number;
  close(): Promise<void>;
}

const emptySettings = { clientId: '', pairedRelayUrl: '' };

/**
 * A stand-in of Foundry VTT’s setup, join and game pages, by what is publicly known of their addresses and markup. Its game
 * page runs a module with the settings that the relay’s module registers, which connects and answers every call.
 */
export async function startFoundryStandIn(options: FoundryStandInOptions): Promise<FoundryStandIn> {
  const state: StandInState = {
    unsigned: false,
    popUp: false,
    hasModule: true,
    isModuleStuck: false,
    settings: { ...emptySettings },
    running: undefined,
    adminPassword: undefined,
    ...options,
  };
  const standIn = { url: '', state, launches: 0 };
  const server = createServer((request, response) => {
    answer(standIn, request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(standIn, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type Running = Omit<FoundryStandIn, 'close'>;

async function answer(standIn: Running, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { state } = standIn;
  const [, view = ''] = new URL(request.url ?? '/', 'http://x').pathname.split('/');
  if (request.method === 'POST') {
    const body = JSON.parse((await readBody(request)) || '{}') as Record<string, string>;
    return act(standIn, { view, body, user: userOf(state, request) }, response);
  }
  const due = viewFor(state, request);
  if (view !== due && !isAllowed(state, view, request)) return redirect(response, `/${due}`);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(pages[view as keyof typeof pages](state, userOf(state, request)));
}

const pages = {
  license: licensePage,
  auth: authPage,
  setup: setupPage,
  join: joinPage,
  players: joinPage,
  game: gamePage,
};

/** Where Foundry leads whoever opens its address. */
function viewFor(state: StandInState, request: IncomingMessage): keyof typeof pages {
  if (state.unsigned) return 'license';
  if (state.running !== undefined) return userOf(state, request) ? 'game' : 'join';
  return state.adminPassword === undefined ? 'setup' : 'auth';
}

function isAllowed({ running }: StandInState, view: string, request: IncomingMessage): boolean {
  if (running === undefined) return false;
  return (
    view === 'join' || view === 'players' || (view === 'game' && /user=/.test(request.headers.cookie ?? ''))
  );
}

function act(
  standIn: Running,
  { view, body, user }: { view: string; body: Record<string, string>; user: StandInUser | undefined },
  response: ServerResponse,
): void {
  const { state } = standIn;
  const send = (value: object, headers = {}) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));
  if (view === 'setup' && body['action'] === 'launchWorld') {
    state.running = body['world'];
    standIn.launches += 1;
    return send({ redirect: state.version === 14 ? '/players' : '/join' });
  }
  if (view === 'join') {
    const joining = state.users.find(({ id }) => id === body['userid']);
    if (!joining || joining.password !== (body['password'] ?? '')) {
      return send({ error: 'The provided password was invalid for the requested user' });
    }
    return send({ redirect: '/game' }, { 'set-cookie': `user=${joining.id}; Path=/; HttpOnly` });
  }
  if (view === 'settings' && user?.isGM) {
    state.settings = { ...state.settings, ...body };
    return send(state.settings);
  }
  response.writeHead(403).end();
}

function userOf({ users }: StandInState, request: IncomingMessage): StandInUser | undefined {
  const [, id] = /(?:^|; )user=(\w+)/.exec(request.headers.cookie ?? '') ?? [];
  return users.find((user) => user.id === id);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
