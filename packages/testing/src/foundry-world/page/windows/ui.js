import { world } from '../parts.js';
import { renderMessage } from '../chat.js';
import { wrap } from './old-applications.js';
import { declare, everywhere, facts, records, strict, strictSpace } from '../strict.js';

/** `ui`: notifications, the players, the chat log, and the places that modules ask for. */

class Notifications {
  constructor() {
    this.active = [];
    this.queue = [];
    document.body.insertAdjacentHTML('beforeend', '<ol id="notifications"></ol>');
    return strict(this, 'Notifications');
  }
  notify(message, type = 'info', { localize = false, permanent = false, progress = false } = {}) {
    const text = localize ? game.i18n.localize(message) : String(message);
    const element = document.createElement('li');
    element.className = `notification ${type}`;
    element.textContent = text;
    document.querySelector('#notifications').append(element);
    const notification = { id: ++last, type, message: text, permanent, progress, element };
    this.active.push(notification);
    if (type === 'error') records.notified.push(text);
    if (!permanent) setTimeout(() => this.remove(notification), 5000);
    return facts.generation >= 13 ? notification : notification.id;
  }
  info(message, options) {
    return this.notify(message, 'info', options);
  }
  warn(message, options) {
    return this.notify(message, 'warning', options);
  }
  error(message, options) {
    return this.notify(message, 'error', options);
  }
  success(message, options) {
    return this.notify(message, 'success', options);
  }
  remove(notification) {
    const found = this.active.find((entry) => entry === notification || entry.id === notification);
    found?.element.remove();
    this.active.splice(0, this.active.length, ...this.active.filter((entry) => entry !== found));
  }
  update(notification, { message } = {}) {
    const found = this.active.find((entry) => entry === notification || entry.id === notification);
    if (found && message !== undefined) found.element.textContent = message;
  }
  has(notification) {
    return this.active.includes(notification);
  }
  clear() {
    for (const notification of this.active.slice()) this.remove(notification);
  }
}
let last = 0;

/** 12: an application of the first generation; its hook gives jQuery. */
const oldPlayers = {
  name: 'PlayerList',
  build(element) {
    element.innerHTML = '<h3 aria-label="Players"></h3><ol id="player-list"></ol>';
    return element.querySelector('ol');
  },
  tell: (app, element) =>
    world.hooks.callAll('renderPlayerList', app, wrap(element), { users: game.users.contents }),
};

const newPlayers = {
  name: 'Players',
  build(element) {
    element.innerHTML = '<div id="players-active"><ol class="players-list"></ol></div>';
    return element.querySelector('ol');
  },
  tell: (app, element) => world.hooks.callAll('renderPlayers', app, element, {}, {}),
};

export class PlayersPart {
  constructor() {
    this.element = document.createElement('aside');
    this.element.id = 'players';
    document.body.append(this.element);
    return strict(this, partOf().name, { isOpen: true });
  }
  get id() {
    return 'players';
  }
  get rendered() {
    return true;
  }
  get expanded() {
    return true;
  }
  render() {
    const list = partOf().build(this.element);
    for (const user of game.users.filter(({ active }) => active)) {
      const entry = list.appendChild(document.createElement('li'));
      entry.className = `player${user.isGM ? ' gm' : ''}`;
      entry.dataset.userId = user.id;
      const name = entry.appendChild(document.createElement('span'));
      name.className = 'player-name';
      name.textContent = user.name;
    }
    partOf().tell(ui.players, this.element);
    return Promise.resolve(ui.players);
  }
  toggleExpanded() {}
  refreshLatency() {}
  refreshFPS() {}
}
const partOf = () => (facts.generation >= 13 ? newPlayers : oldPlayers);

class Part {
  constructor(id) {
    this.id = id;
    this.element = document.createElement('section');
    this.element.id = id;
    document.body.append(this.element);
    this.rendered = true;
    this.viewed = null;
    return strict(this, 'Part', { isOpen: true });
  }
  render() {
    return this;
  }
  activate() {}
  initialize() {}
  activateTab() {}
  changeTab() {}
  scrollBottom() {}
}

/** Chat, as an element each of messages that this user sees. */
export async function logMessage(action, message) {
  const list = ui.chat.element;
  const existing = list.querySelector(`[data-message-id="${message.id}"]`);
  if (action === 'delete') return existing?.remove();
  const element = await renderMessage(message);
  if (existing) return existing.replaceWith(element);
  list.append(element);
}

const partNames = [
  'chat',
  'combat',
  'scenes',
  'actors',
  'items',
  'journal',
  'tables',
  'cards',
  'playlists',
  'compendium',
  'settings',
  'sidebar',
  'nav',
  'hotbar',
  'controls',
  'menu',
  'pause',
];

export function createUi() {
  declare('Notifications', { more: everywhere(['active', 'queue']) });
  declare('Part', {
    more: everywhere([
      'id',
      'element',
      'render',
      'rendered',
      'viewed',
      'activate',
      'initialize',
      'activateTab',
      'changeTab',
      'scrollBottom',
      'expanded',
    ]),
  });
  declare(partOf().name, {
    parents: facts.generation >= 13 ? ['ApplicationV2'] : [],
    more: everywhere(['element', 'id', 'rendered']),
  });
  const parts = Object.fromEntries(partNames.map((name) => [name, new Part(name)]));
  const target = { notifications: new Notifications(), players: new PlayersPart(), windows: {}, ...parts };
  if (facts.generation < 13) delete target.menu;
  return strictSpace(target, 'ui', { isOpen: true });
}
