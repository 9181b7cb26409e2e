/** The scripts of the stand-in's pages, as text: they run in the browser that opens them. */

const notify = `
function notifyError(text) {
  const entry = document.createElement('li');
  entry.className = 'notification error';
  entry.textContent = text;
  document.querySelector('#notifications').append(entry);
}
async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  return response.json();
}`;

export const setupScript = (dialog: string): string => `${notify}
for (const button of document.querySelectorAll('[data-action=worldLaunch]')) {
  button.addEventListener('click', async () => {
    if (button.dataset.migrate === 'true') {
      document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(dialog)});
      return;
    }
    const world = button.closest('[data-package-id]').dataset.packageId;
    location.href = (await post('/setup', { action: 'launchWorld', world })).redirect;
  });
}`;

export const joinScript = `${notify}
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { userid, password } = Object.fromEntries(new FormData(event.target));
  const { error, redirect } = await post('/join', { action: 'join', userid, password });
  if (error) notifyError(error);
  else location.href = redirect;
});`;

/** As much of Foundry's globals as a module needs, and a module with the settings of the relay's. */
export function gameScript(input: {
  game: object;
  hasModule: boolean;
  isModuleStuck: boolean;
  settings: object;
}): string {
  return `${notify}
const namespace = 'relay-module';
const ofWorld = ${JSON.stringify(input.settings)};
globalThis.game = {
  ...${JSON.stringify(input.game)},
  ready: false,
  settings: {
    settings: new Map(${input.hasModule} ? ['clientId', 'pairedRelayUrl', 'connectionToken'].map((key) => [namespace + '.' + key, {}]) : []),
    get: (space, key) => key === 'connectionToken' ? JSON.parse(localStorage.getItem(space + '.' + key) ?? '""') : ofWorld[key],
    async set(space, key, value) {
      if (key === 'connectionToken') localStorage.setItem(space + '.' + key, JSON.stringify(value));
      else Object.assign(ofWorld, await post('/settings', { [key]: value }));
      return value;
    },
  },
};
setTimeout(() => {
  game.ready = true;
  const { settings, world, system, version } = game;
  const token = settings.get(namespace, 'connectionToken');
  const url = settings.get(namespace, 'pairedRelayUrl');
  if (!token || !url || !${input.hasModule && !input.isModuleStuck}) return;
  const query = new URLSearchParams({
    id: settings.get(namespace, 'clientId'), worldId: world.id, worldTitle: world.title, foundryVersion: version,
    systemId: system.id, systemTitle: system.title, systemVersion: system.version,
  });
  const socket = new WebSocket(url + '?' + query);
  socket.onopen = () => socket.send(JSON.stringify({ type: 'auth', token }));
  socket.onmessage = ({ data }) => {
    const { type, requestId } = JSON.parse(data);
    if (requestId) socket.send(JSON.stringify({ type: type + '-result', requestId, data: {} }));
  };
}, 300);`;
}
