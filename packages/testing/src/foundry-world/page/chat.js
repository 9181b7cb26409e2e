import { Document } from './document.js';
import { inner, onChange, source, world } from './parts.js';
import { facts } from './strict.js';

/** Messages of the chat, and macros. */

export class ChatMessage extends Document {
  static applyRollMode(chatData, rollMode) {
    return world.applyMode(chatData, rollMode);
  }
  static applyMode(chatData, mode) {
    return world.applyMode(chatData, mode);
  }
  static getSpeaker({ scene, actor, token, alias } = {}) {
    const of = token?.document ?? token;
    const who = actor ?? of?.actor ?? canvas.tokens?.controlled?.[0]?.actor ?? game.user.character;
    const name = alias ?? of?.name ?? who?.name ?? game.user.name;
    return {
      scene: of?.parent?.id ?? scene?.id ?? null,
      actor: who?.id ?? null,
      token: of?.id ?? null,
      alias: name,
    };
  }
  static getSpeakerActor(speaker = {}) {
    const token = speaker.token ? game.scenes.get(speaker.scene)?.tokens.get(speaker.token) : undefined;
    return token?.actor ?? game.actors.get(speaker.actor) ?? null;
  }
  static getWhisperRecipients(name) {
    const lower = name.toLowerCase();
    if (lower === 'gm' || lower === 'dm') return game.users.filter((user) => user.isGM);
    if (lower === 'players') return game.users.players;
    return game.users.filter(
      (user) => user.name.toLowerCase() === lower || user.character?.name.toLowerCase() === lower,
    );
  }
  get rolls() {
    return this[source].rolls.map((roll) =>
      CONFIG.Dice.rolls[0].fromData(typeof roll === 'string' ? JSON.parse(roll) : roll),
    );
  }
  get user() {
    return this.author;
  }
  get isRoll() {
    return this[source].rolls.length > 0;
  }
  get isAuthor() {
    return this[source].author === game.user.id;
  }
  get visible() {
    const { whisper } = this[source];
    if (whisper.length === 0) return true;
    return this.isAuthor || whisper.includes(game.user.id) || game.user.isGM;
  }
  get isContentVisible() {
    if (!this.isRoll) return this.visible;
    const { whisper, blind } = this[source];
    if (blind) return game.user.isGM;
    return whisper.length === 0 || whisper.includes(game.user.id) || this.isAuthor;
  }
  get alias() {
    return this.speaker.alias ?? this.author?.name ?? '';
  }
  get logged() {
    return true;
  }
  export() {
    return `[${new Date(this.timestamp).toLocaleString()}] ${this.alias}\n${this.content}`;
  }
  renderHTML() {
    return renderMessage(this[inner].proxy);
  }
  async getHTML() {
    return world.wrap(await renderMessage(this[inner].proxy));
  }
  [onChange](action) {
    if (this.visible) void world.log?.(action, this[inner].proxy);
  }
}

/** The element of a message in the log, with the hook that the version fires for it. */
export async function renderMessage(message) {
  const element = document.createElement('li');
  element.className = 'chat-message message flexcol';
  element.dataset.messageId = message.id;
  element.innerHTML =
    '<header class="message-header"><h4 class="message-sender"></h4></header><div class="message-content"></div>';
  element.querySelector('.message-sender').textContent = message.alias;
  element.querySelector('.message-content').innerHTML = message.isContentVisible
    ? world.enrich(message.content)
    : '';
  const shown = {
    message: message.toObject(),
    user: game.user,
    author: message.author,
    alias: message.alias,
  };
  if (facts.generation >= 13) world.hooks.callAll('renderChatMessageHTML', message, element, shown);
  else world.hooks.call('renderChatMessage', message, world.wrap(element), shown);
  return element;
}

export class Macro extends Document {
  get canExecute() {
    return this.canUserExecute(game.user);
  }
  get isAuthor() {
    return this[source].author === game.user.id;
  }
  canUserExecute(user) {
    if (!this.testUserPermission(user, 'LIMITED')) return false;
    return this.type === 'script' ? user.can('MACRO_SCRIPT') : true;
  }
  execute(scope = {}) {
    if (!this.canExecute)
      return void ui.notifications.warn(`You do not have permission to execute Macro "${this.name}".`);
    if (this.type === 'chat') return ChatMessage.implementation.create({ content: this.command });
    const { speaker = ChatMessage.implementation.getSpeaker(), actor, token, ...rest } = scope;
    const names = ['speaker', 'actor', 'token', 'character', 'scope', ...Object.keys(rest)];
    const AsyncFunction = (async () => {}).constructor;
    const run = new AsyncFunction(...names, `{${this.command}\n}`);
    return run.call(
      this[inner].proxy,
      speaker,
      actor,
      token,
      game.user.character,
      { ...rest, actor, token },
      ...Object.values(rest),
    );
  }
}
