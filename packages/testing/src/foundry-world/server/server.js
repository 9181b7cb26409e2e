import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import { randomID } from '../page/utils.js';
import { createDatabase, Refused } from './database.js';
import { createFiles } from './files.js';
import { seedWorld } from './seed.js';

const folder = path.dirname(import.meta.dirname);
const read = (name) => JSON.parse(readFileSync(path.join(folder, 'facts', `${name}.json`), 'utf8'));
const builds = { 12: '331', 13: '350', 14: '363' };
const releases = { 3.3: '3.3.1', 4.4: '4.4.4', 5.3: '5.3.3', '6.0': '6.0.0' };

/** Serves the tabletop's pages, its modules' files and the socket between its browsers, on loopback. */
export async function startServer({
  core,
  dnd5e,
  isStrict = true,
  modules = [],
  worlds = [{ id: 'night-market', title: 'The Night Market' }],
}) {
  const facts = {
    core: read('core'),
    documents: read('documents'),
    dnd5e: read('dnd5e'),
    generation: core,
    dnd5eFamily: dnd5e,
    isStrict,
  };
  const system = { id: 'dnd5e', title: 'Dungeons & Dragons Fifth Edition', version: releases[dnd5e] };
  const stats = { coreVersion: `${core}.${builds[core]}`, systemId: 'dnd5e', systemVersion: system.version };
  const databases = new Map(
    worlds.map((world) => [world.id, { ...world, ...createDatabase({ ...seedWorld(facts, world), stats }) }]),
  );
  const state = {
    world: databases.get(worlds[0].id),
    sessions: new Map(),
    sockets: new Set(),
    asked: new Map(),
    isPaused: false,
  };
  const packages = modules.map(readModule);
  const about = { facts, system, release: { generation: core, build: builds[core] }, packages };
  const files = createFiles();
  const server = createServer((request, response) => {
    answer({ state, about, files }, request, response).catch((error) =>
      response.writeHead(500).end(String(error.stack)),
    );
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const session = state.sessions.get(new URL(request.url, 'http://x').searchParams.get('session'));
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (!session || session.worldId !== state.world.id) return client.close(4401);
      join({ state, packages }, client, session);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    files,
    world: () => state.world,
    /** Ends the world that runs, and starts another on the same origin. */
    launch(id) {
      state.world = databases.get(id);
      for (const { client } of state.sockets) client.close(4401);
    },
    /** Cuts the connections of a user, as a sleeping machine loses them. */
    drop(userId) {
      for (const { client, session } of state.sockets) if (session.userId === userId) client.terminate();
    },
    close: () =>
      new Promise((resolve) => {
        for (const { client } of state.sockets) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the tabletop knows of a module whose manifest does not say. */
const unsaid = {
  version: '1.0.0',
  description: '',
  url: '',
  authors: [],
  styles: [],
  packs: [],
  compatibility: {},
  esmodules: [],
  scripts: [],
  languages: [],
  flags: {},
  socket: false,
  relationships: {},
};

function readModule({ folder: at, files = {}, active = true, manifest }) {
  const said = at ? JSON.parse(readFileSync(path.join(at, 'module.json'), 'utf8')) : manifest;
  return { folder: at, files, data: { ...unsaid, ...said, active } };
}

const types = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

async function answer({ state, about, files }, request, response) {
  const url = new URL(request.url, 'http://x');
  const [, first, ...rest] = url.pathname.split('/');
  const send = (body, type) =>
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  if (first === '') return response.writeHead(302, { location: '/join' }).end();
  if (first === 'join') return choose(state, { url, request, send, response });
  if (first === 'game') return game({ state, about, files }, request, { send, response });
  if (first === 'page') return send(await readFile(path.join(folder, 'page', ...rest)), 'text/javascript');
  if (first === 'modules') return module(about, rest, { send, response });
  if (first === 'files')
    return files.answer(rest[0], request, { response, may: (permission) => may(state, request, permission) });
  const stored = files.get(decodeURIComponent(url.pathname.slice(1)));
  if (stored) return send(stored, types[path.extname(url.pathname)] ?? 'application/octet-stream');
  if (url.pathname.endsWith('.svg'))
    return send('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 'image/svg+xml');
  return response.writeHead(404).end();
}

/** The page on which people choose a user, what it sends, and a link that does both for tests. */
async function choose(state, { url, request, send, response }) {
  const { users } = state.world.documents;
  if (request.method !== 'POST' && !url.searchParams.has('user')) {
    const options = users.map(({ _id: id, name }) => `<option value="${id}">${name}</option>`);
    return send(
      `<!doctype html><html lang="en"><head><title>Foundry Virtual Tabletop</title></head>
<body class="vtt players"><form id="join-game-form" method="post" action="/join"><select name="userid"><option value=""></option>${options.join('')}</select>
<input type="password" name="password"><button type="submit" name="join">Join Game Session</button></form></body></html>`,
      'text/html; charset=utf-8',
    );
  }
  const given = request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : url.searchParams;
  const user = users.find(({ _id: id, name }) => id === given.get('userid') || name === given.get('user'));
  return logIn(state, { user, password: given.get('password') ?? '' }, response);
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function logIn(state, { user, password }, response) {
  if (!user || user.role === 0 || (user.password ?? '') !== password) return response.writeHead(403).end();
  const id = randomID();
  state.sessions.set(id, { id, userId: user._id, worldId: state.world.id });
  response.writeHead(302, { location: '/game', 'set-cookie': `session=${id}; Path=/; HttpOnly` }).end();
}

const sessionOf = (state, request) =>
  state.sessions.get(/session=(\w+)/.exec(request.headers.cookie ?? '')?.[1]);

function may(state, request, permission) {
  const session = sessionOf(state, request);
  return session !== undefined && state.world.may(session.userId, permission);
}

function game({ state, about }, request, { send, response }) {
  const session = sessionOf(state, request);
  if (session?.worldId !== state.world.id) return response.writeHead(403).end('no session');
  const { facts, system, release, packages } = about;
  const documentTypes = Object.fromEntries(
    Object.keys(facts.documents.fields).map((name) => [
      name,
      ['base', ...(facts.dnd5e.documentTypes[name]?.[facts.dnd5eFamily] ?? [])],
    ]),
  );
  const { id, title } = state.world;
  const styles = packages
    .filter(({ data }) => data.active)
    .flatMap(({ data }) =>
      data.styles.map((style) => `<link rel="stylesheet" href="/modules/${data.id}/${style}">`),
    );
  const config = {
    facts,
    system,
    release,
    documentTypes,
    session,
    world: { id, title },
    modules: packages.map(({ data }) => data),
  };
  const text = JSON.stringify(config).replaceAll('<', '\\u003c');
  return send(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} • Foundry Virtual Tabletop</title><link rel="icon" href="data:,">${styles.join('')}</head>
<body class="vtt game system-dnd5e"><script src="/page/timers.js"></script>
<script type="application/json" id="world-config">${text}</script><script type="module" src="/page/main.js"></script></body></html>`,
    'text/html; charset=utf-8',
  );
}

async function module({ packages }, [id, ...rest], { send, response }) {
  const found = packages.find(({ data }) => data.id === id);
  const name = rest.join('/');
  const type = types[path.extname(name)] ?? 'application/octet-stream';
  if (found && name in found.files) return send(found.files[name], type);
  if (!found?.folder || rest.includes('..')) return response.writeHead(404).end();
  const text = await readFile(path.join(found.folder, ...rest)).catch(() => undefined);
  return text === undefined ? response.writeHead(404).end() : send(text, type);
}

/** A browser that is in the game. */
function join({ state, packages }, client, session) {
  const own = { client, session, activity: {} };
  const { world } = state;
  const { userId } = session;
  const isFirst = !isActive(state, userId);
  state.sockets.add(own);
  const send = (message, to = own) => to.client.readyState === 1 && to.client.send(JSON.stringify(message));
  const tellAll = (message, except) => {
    for (const other of state.sockets) if (other !== except) send(message, other);
  };
  const index = [...world.packs.values()].map(({ metadata, documents }) => ({ metadata, index: documents }));
  // Nobody is sent a password.
  const users = world.documents.users.map((user) => ({ ...user, password: '' }));
  send({
    op: 'world',
    documents: { ...world.documents, users },
    packs: index,
    presence: presenceOf(state),
  });
  tellAll(
    { op: 'presence', userId, presence: presenceOf(state)[userId], ...(isFirst ? { connected: true } : {}) },
    own,
  );
  const context = { state, packages, own, send, tellAll };
  client.on('message', (text) => {
    const { op, id, ...message } = JSON.parse(text);
    Promise.resolve()
      .then(() => operations[op](context, message))
      .then((result = {}) => id && send({ op: 'answer', id, result }))
      .catch((error) => {
        if (id)
          send({ op: 'answer', id, error: error instanceof Refused ? error.message : String(error.stack) });
      });
  });
  client.on('close', () => {
    state.sockets.delete(own);
    const isLast = !isActive(state, userId);
    tellAll({
      op: 'presence',
      userId,
      presence: presenceOf(state)[userId] ?? { active: false },
      ...(isLast ? { connected: false } : {}),
    });
  });
}

const isActive = (state, userId) => [...state.sockets].some(({ session }) => session.userId === userId);

function presenceOf({ sockets }) {
  const out = {};
  for (const { session, activity } of sockets) out[session.userId] = { active: true, ...activity };
  return out;
}

const operations = {
  modify({ state, own, tellAll }, request) {
    const changes = state.world.modify(request, own.session.userId);
    for (const change of changes) tellAll({ op: 'modified', ...change });
    return { change: changes[0].change };
  },
  get: ({ state }, { type, query }) => ({ results: state.world.find(type, query) }),
  pack: ({ state }, { pack }) => ({ documents: state.world.packs.get(pack).documents }),
  /** Events of modules reach the other browsers, where the module's manifest asks for a socket; the sender's name is the server's. */
  emit({ packages, own, tellAll }, { event, args }) {
    const [kind, id] = event.split('.');
    if (kind === 'module' && !packages.some(({ data }) => data.id === id && data.socket && data.active))
      return;
    tellAll({ op: 'emitted', event, args, sender: own.session.userId }, own);
  },
  activity({ state, own, tellAll }, { activity }) {
    Object.assign(own.activity, activity);
    const { userId } = own.session;
    tellAll({ op: 'presence', userId, presence: presenceOf(state)[userId] });
  },
  pause({ state, own, tellAll }, { paused }) {
    if (state.world.userOf(own.session.userId).role < 3)
      throw new Refused('Only a game master pauses the game');
    state.isPaused = paused;
    tellAll({ op: 'paused', paused });
  },
  query({ state, own, send }, { to, name, data, timeout }) {
    if (!state.world.may(own.session.userId, 'QUERY_USER'))
      throw new Refused('You may not query other users');
    const target = [...state.sockets].find(({ session }) => session.userId === to);
    if (!target) throw new Refused('The user is not connected');
    const ask = randomID(8);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Refused('The query timed out')), timeout);
      state.asked.set(ask, ({ error, result }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result);
        else reject(new Refused(error));
      });
      send({ op: 'asked', ask, name, data, timeout }, target);
    });
  },
  replied({ state }, { ask, ...answer }) {
    state.asked.get(ask)?.(answer);
    state.asked.delete(ask);
  },
};
