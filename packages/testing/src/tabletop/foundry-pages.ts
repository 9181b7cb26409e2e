import { gameScript, joinScript, setupScript } from './foundry-scripts.ts';
import type { StandInState, StandInUser } from './foundry-state.ts';

type Page = (state: StandInState, user: StandInUser | undefined) => string;

/** Since 13 the core is one module, and applications are of the second generation. */
const isNew = ({ version }: Pick<StandInState, 'version'>) => version >= 13;

function page(
  state: StandInState,
  { view, body, script = '' }: { view: string; body: string; script?: string },
): string {
  const core = isNew(state) ? 'foundry.mjs' : 'foundry.js';
  const tour =
    '<div class="tour-overlay" style="position:fixed;inset:0;z-index:9;background:#0009">A tour of the page</div>';
  return `<!doctype html><html lang="en"><head><title>Foundry Virtual Tabletop</title>
<script type="application/json" src="/scripts/${core}"></script></head>
<body class="vtt ${view}">${body}<ol id="notifications"></ol>${state.popUp ? tour : ''}
<script>${script}</script></body></html>`;
}

export const licensePage: Page = (state) =>
  page(state, {
    view: 'license',
    body: `<form id="end-user-license-agreement"><h1>Software License Agreement</h1>
<label><input type="checkbox" name="agree"> I agree to these terms</label>
<button type="submit" name="accept" disabled>Agree</button></form>`,
  });

export const authPage: Page = (state) =>
  page(state, {
    view: 'auth',
    body: `<form id="setup-authentication" method="post"><h2>Administrator Access Required</h2>
<input type="password" name="adminPassword"><button type="submit" name="action" value="adminAuth">Log In</button></form>`,
  });

export const setupPage: Page = (state) => {
  const worlds = state.worlds.map(({ id, title, mustMigrate }) => {
    const launch = `<a class="control play" data-action="worldLaunch" data-migrate="${mustMigrate === true}">▶</a>`;
    return `<li class="package world flexrow" data-package-id="${id}"><h3 class="package-title">${title}</h3>${launch}</li>`;
  });
  const dialog = isNew(state)
    ? '<dialog class="application dialog" open><p>World Data Migration</p><button data-action="yes">Begin Migration</button></dialog>'
    : '<div class="app window-app dialog"><p>World Data Migration</p><button class="dialog-button yes" data-button="yes">Begin Migration</button></div>';
  return page(state, {
    view: 'setup',
    body: `<section id="setup"><ol id="worlds-list">${worlds.join('')}</ol></section>`,
    script: setupScript(dialog),
  });
};

export const joinPage: Page = (state) => {
  const options = state.users.map(
    ({ id, name, active }) => `<option value="${id}"${active ? ' disabled' : ''}>${name}</option>`,
  );
  const select = `<select name="userid"><option value=""></option>${options.join('')}</select>`;
  const title = state.worlds.find(({ id }) => id === state.running)?.title ?? '';
  return page(state, {
    view: 'join',
    body: `<h1>${title}</h1><form id="${isNew(state) ? 'join-game-form' : 'join-game'}">${select}
<input type="password" name="password"><button type="submit" name="join">Join Game Session</button></form>`,
    script: joinScript,
  });
};

export const gamePage: Page = (state, user) => {
  const world = state.worlds.find(({ id }) => id === state.running);
  const game = {
    world: { id: world?.id, title: world?.title },
    version: `${state.version}.315`,
    system: { id: 'dnd5e', title: 'Dungeons & Dragons Fifth Edition', version: '5.1.0' },
    user: { isGM: user?.isGM === true },
  };
  return page(state, {
    view: 'game',
    body: '<div id="board">The canvas</div>',
    script: gameScript({ ...state, game }),
  });
};
