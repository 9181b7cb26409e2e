import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A module as today's are, in the page of a tabletop: it is paired by its button or by a code, asks for more, answers
 * commands and unpairs. It takes nothing before `auth-success`, gives a pairing up at any refusal, breaks at an
 * application `ping`, and never answers what it does not know. Its texts have no codes.
 */
const script = `
const say = (name, text) => { document.getElementById(name).textContent = text; };
const field = (name) => document.getElementById(name).value;
const world = () => ({
  worldId: 'chapel', worldTitle: 'The Sunken Chapel', systemId: 'dnd5e', systemTitle: 'D&D 5e',
  systemVersion: '5.1.0', foundryVersion: '13.348',
});
const fingerprint =
  new URLSearchParams(location.search).get('fingerprint') ?? Math.random().toString(36).slice(2);
let relay = '';
let paired;
let socket;

const post = async (path, body) => {
  const answer = await fetch(relay + path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.error || read.detail || String(answer.status));
  return read;
};

/** Modules keep the address of the socket alone. */
const readRelay = () => {
  const url = field('relay-url');
  if (!/^wss?:\\/\\/.*\\/relay$/.test(url)) throw new Error('not a WebSocket URL');
  relay = url.replace(/^ws/, 'http').replace(/\\/relay$/, '');
};

const poll = async (code) => {
  for (;;) {
    const answer = await fetch(relay + '/auth/pair-request/' + code + '/status');
    if (!answer.ok) throw new Error('the relay answered ' + answer.status);
    const read = await answer.json();
    if (read.status !== 'pending') return read;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
};

const ask = async (more) => {
  const { code, pairUrl } = await post('/auth/pair-request', { ...world(), ...more });
  say('pair-url', pairUrl);
  say('state', 'waiting');
  return poll(code);
};

const connect = () => {
  const query = new URLSearchParams({ id: paired.clientId, ...world() });
  socket = new WebSocket(paired.relayUrl + '?' + query);
  let isReady = false;
  socket.onopen = () => socket.send(JSON.stringify({ type: 'auth', token: paired.token }));
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (!isReady && frame.type !== 'auth-success') return;
    if (frame.type === 'auth-success') { isReady = true; return say('state', 'connected'); }
    if (frame.type === 'ping') { say('state', 'broken by a ping'); throw new Error('ping'); }
    if (frame.type === 'known-clients-result') return say('scopes', JSON.stringify(frame.tokenScopes));
    if (frame.type !== 'players' && frame.type !== 'skill-check') return;
    const reply = { type: frame.type + '-result', requestId: frame.requestId };
    if (frame.type === 'players') return socket.send(JSON.stringify({ ...reply, users: [] }));
    socket.send(JSON.stringify({ ...reply, error: 'Actor not found' }));
  };
  socket.onclose = ({ code }) => say('closed', 'closed with ' + code);
};

const pairBy = async (code) => {
  paired = await post('/auth/pair', {
    ...world(), code, serverFingerprint: fingerprint, moduleVersion: '3.4.1', existingClientId: null,
  });
  connect();
};

const acts = {
  async pair() {
    readRelay();
    const { status, pairingCode } = await ask({ serverFingerprint: fingerprint });
    if (status !== 'approved') return say('state', status);
    await pairBy(pairingCode);
  },
  async 'pair-by-code'() {
    readRelay();
    await pairBy(field('code'));
  },
  async upgrade() {
    const { status, upgraded } = await ask({ clientId: paired.clientId, upgradeOnly: true });
    say('state', upgraded ? 'upgraded' : status);
    socket.send(JSON.stringify({ type: 'get-known-clients', requestId: 'known' }));
  },
  async unpair() {
    await post('/api/self-unpair', { token: paired.token });
    say('state', 'unpaired');
  },
};
for (const [name, act] of Object.entries(acts))
  document.getElementById(name).onclick = () => act().catch((error) => say('state', 'error: ' + error.message));
`;

/** The page of that tabletop. What the module knows stands in its elements. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The tabletop</title></head><body>
<label>WebSocket Relay URL <input id="relay-url"></label> <button id="pair">Pair with relay</button>
<label>Pairing code <input id="code"></label> <button id="pair-by-code">Pair by code</button>
<button id="upgrade">Ask for more</button> <button id="unpair">Unpair</button>
<p>State <output id="state"></output></p><p>Link <output id="pair-url"></output></p>
<p>May <output id="scopes"></output></p><p><output id="closed"></output></p>
<script>${script}</script></body></html>`;

export interface AskingTabletop {
  /** The page that the module runs in: of another origin than the relay. */
  url: string;
  stop(): Promise<void>;
}

/** Serves the page of a tabletop with that module, on loopback. */
export async function startAskingTabletop(): Promise<AskingTabletop> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
