import { makeDelta, rebuildDelta } from './actors.js';
import { installCore, runGame } from './game.js';
import { connect } from './connection.js';
import { world } from './parts.js';
import { facts, notBuilt, records } from './strict.js';

/** The page of a world: builds the tabletop, loads the modules as their manifests say, and runs it up to `ready`. */

const config = JSON.parse(document.querySelector('#world-config').textContent);
Object.assign(facts, config.facts);
Object.assign(globalThis.standIn, { records, notBuilt });
Object.assign(world, { makeDelta, rebuildDelta });

globalThis.addEventListener('unhandledrejection', ({ reason }) =>
  records.errors.push(`unhandled: ${reason?.stack ?? reason}`),
);
globalThis.addEventListener('error', ({ message }) => records.errors.push(message));

const connection = connect({ session: config.session.id });
world.connection = connection;
const arrived = new Promise((resolve) => connection.on('world', resolve));
installCore(config);
for (const { id, esmodules, scripts } of config.modules.filter(({ active }) => active)) {
  for (const path of scripts) await loadScript(`/modules/${id}/${path}`);
  for (const path of esmodules)
    await import(`/modules/${id}/${path}`).catch((error) => records.errors.push(`${id}: ${error.stack}`));
}
await runGame(config, await arrived);
globalThis.standIn.isReady = true;

function loadScript(src) {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    Object.assign(script, { src, onload: resolve, onerror: resolve });
    document.head.append(script);
  });
}
