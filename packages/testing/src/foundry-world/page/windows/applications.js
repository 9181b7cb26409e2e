import { world } from '../parts.js';
import { declare, everywhere, facts, strict, strictClass } from '../strict.js';
import { deepClone, mergeObject } from '../utils.js';

/** Windows of the second generation, and the questions that they ask. */

export const instances = new Map();
export const view = Symbol('view');
let last = 0;
let top = 100;

const STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

export class ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: 'app-{id}',
    classes: [],
    tag: 'div',
    actions: {},
    form: undefined,
    window: {
      frame: true,
      positioned: true,
      title: '',
      icon: '',
      controls: [],
      minimizable: true,
      resizable: false,
      contentTag: 'section',
      contentClasses: [],
    },
    position: {},
  };
  static RENDER_STATES = STATES;

  constructor(options = {}) {
    this[view] = { state: STATES.NONE, element: null, events: new EventTarget() };
    const proxy = strict(this, 'ApplicationV2', { isOpen: true });
    const merged = inherited(this.constructor, options);
    const appId = ++last;
    merged.uniqueId = String(appId);
    merged.id = merged.id.replace('{id}', String(appId));
    Object.assign(this[view], {
      options: merged,
      position: { width: 'auto', height: 'auto', ...merged.position },
      proxy,
    });
    return proxy;
  }
  addEventListener(...args) {
    this[view].events.addEventListener(...args);
  }
  removeEventListener(...args) {
    this[view].events.removeEventListener(...args);
  }
  dispatchEvent(event) {
    return this[view].events.dispatchEvent(event);
  }
  static inheritanceChain() {
    return chain(this);
  }
  static instances() {
    return [...instances.values()].filter((app) => app instanceof this).values();
  }
  get options() {
    return this[view].options;
  }
  get id() {
    return this.options.id;
  }
  get title() {
    return game.i18n.localize(this.options.window.title);
  }
  get element() {
    return this[view].element;
  }
  get form() {
    return this.element?.tagName === 'FORM' ? this.element : (this.element?.querySelector('form') ?? null);
  }
  get classList() {
    return this.element?.classList;
  }
  get state() {
    return this[view].state;
  }
  get rendered() {
    return this[view].state === STATES.RENDERED;
  }
  get minimized() {
    return this[view].isMinimized === true;
  }
  get hasFrame() {
    return this.options.window.frame;
  }
  get position() {
    return this[view].position;
  }
  get window() {
    const { element } = this;
    const find = (selector) => element?.querySelector(selector) ?? null;
    return {
      header: find('.window-header'),
      title: find('.window-title'),
      content: find('.window-content') ?? element,
      close: find('[data-action=close]'),
    };
  }
  async render(options = {}, oldOptions = {}) {
    const wanted = typeof options === 'boolean' ? { ...oldOptions, force: options } : { ...options };
    const { proxy } = this[view];
    const isFirst = this[view].element === null;
    if (isFirst && !wanted.force) return proxy;
    wanted.isFirstRender = isFirst;
    this._configureRenderOptions(wanted);
    this[view].state = STATES.RENDERING;
    try {
      const context = await this._prepareContext(wanted);
      if (isFirst) {
        await this._preFirstRender(context, wanted);
        this[view].element = await this._renderFrame(wanted);
      }
      await this._preRender(context, wanted);
      const result = await this._renderHTML(context, wanted);
      const content = this.hasFrame ? this.element.querySelector('.window-content') : this.element;
      await this._replaceHTML(result, content, wanted);
      if (isFirst) {
        this._insertElement(this.element);
        instances.set(this.id, proxy);
        this._attachFrameListeners();
      }
      this[view].state = STATES.RENDERED;
      if (isFirst) await this._onFirstRender(context, wanted);
      await this._onRender(context, wanted);
      this.setPosition(wanted.position ?? {});
      tell(this, 'render', facts.generation >= 13 ? [this.element, context, wanted] : [this.element]);
    } catch (error) {
      this[view].state = STATES.ERROR;
      throw new Error(`Failed to render Application "${this.id}":\n${error.message}`, { cause: error });
    }
    return proxy;
  }
  async close(options = {}) {
    if (this[view].element === null) return this[view].proxy;
    await this._preClose(options);
    this[view].state = STATES.CLOSING;
    this[view].element.remove();
    this[view].element = null;
    this[view].state = STATES.CLOSED;
    instances.delete(this.id);
    this._onClose(options);
    tell(this, 'close', []);
    return this[view].proxy;
  }
  _configureRenderOptions(options) {
    if (options.window?.title) this.options.window.title = options.window.title;
  }
  async _prepareContext() {
    return {};
  }
  async _preFirstRender() {}
  async _preRender() {}
  async _renderHTML() {
    throw new Error(
      `The ${this.constructor.name} Application class is not renderable: it must implement _renderHTML`,
    );
  }
  _replaceHTML() {
    throw new Error(
      `The ${this.constructor.name} Application class is not renderable: it must implement _replaceHTML`,
    );
  }
  async _renderFrame() {
    const { tag, classes, window: frame } = this.options;
    const element = document.createElement(tag);
    element.id = this.id;
    element.className = ['application', ...classes].join(' ');
    if (!frame.frame) return element;
    element.setAttribute('role', tag === 'form' ? 'form' : 'dialog');
    const header = element.appendChild(document.createElement('header'));
    header.className = 'window-header';
    const title = header.appendChild(document.createElement('h1'));
    title.className = 'window-title';
    title.textContent = this.title;
    const close = header.appendChild(document.createElement('button'));
    Object.assign(close, { type: 'button', className: 'header-control', ariaLabel: 'Close' });
    close.dataset.action = 'close';
    const content = element.appendChild(document.createElement(frame.contentTag));
    content.className = ['window-content', ...frame.contentClasses].join(' ');
    return element;
  }
  _insertElement(element) {
    const existing = document.getElementById(element.id);
    if (existing) existing.replaceWith(element);
    else document.body.append(element);
  }
  async _onFirstRender() {}
  async _onRender() {}
  async _preClose() {}
  _onClose() {}
  _onPosition() {}
  _onClickAction() {}
  _attachFrameListeners() {
    const { proxy } = this[view];
    this.element.addEventListener('click', (event) => {
      const target = event.target.closest('[data-action]');
      if (!target || !this.element?.contains(target)) return;
      if (target.dataset.action === 'close') return void this.close();
      const action = this.options.actions[target.dataset.action];
      const handler = typeof action === 'function' ? action : action?.handler;
      if (handler) void handler.call(proxy, event, target);
      else this._onClickAction(event, target);
    });
    const { form } = this.options;
    if (this.options.tag === 'form' && form?.handler) {
      this.element.addEventListener('submit', (event) => {
        event.preventDefault();
        void Promise.resolve(
          form.handler.call(proxy, event, this.element, new FormDataExtended(this.element)),
        ).then(() => {
          if (form.closeOnSubmit) return this.close();
        });
      });
    }
  }
  setPosition(position = {}) {
    Object.assign(this[view].position, position);
    const { element } = this;
    if (!element || !this.options.window.positioned) return this[view].position;
    for (const side of ['left', 'top', 'width', 'height']) {
      const value = this[view].position[side];
      if (typeof value === 'number') element.style[side] = `${value}px`;
    }
    this._onPosition(this[view].position);
    return this[view].position;
  }
  bringToFront() {
    if (this.element) this.element.style.zIndex = String(++top);
  }
  async minimize() {
    this[view].isMinimized = true;
  }
  async maximize() {
    this[view].isMinimized = false;
  }
  async submit() {
    this.element?.requestSubmit?.();
  }
  async detachWindow() {
    throw new Error('The stand-in has no second window');
  }
  async attachWindow() {}
}

/** What each class of the chain adds to the options: the nearest wins. */
function inherited(cls, given) {
  const out = {};
  for (const at of [...chain(cls)].reverse()) {
    if (!Object.hasOwn(at, 'DEFAULT_OPTIONS')) continue;
    const { classes = [], ...rest } = deepClone(at.DEFAULT_OPTIONS);
    mergeObject(out, { ...rest, classes: [...(out.classes ?? []), ...classes] });
  }
  const { classes = [], ...rest } = given;
  return mergeObject(out, { ...rest, classes: [...out.classes, ...classes] });
}

function* chain(cls) {
  for (let at = cls; at && at !== Function.prototype; at = Object.getPrototypeOf(at)) yield at;
}

/** Hooks of a window are named after its class and each that it extends. */
function tell(app, action, args) {
  const names = new Set([...chain(app.constructor)].map(({ name }) => name));
  for (const name of names) if (name) world.hooks.callAll(`${action}${name}`, app[view].proxy, ...args);
}

export class FormDataExtended extends FormData {
  get object() {
    return Object.fromEntries(this.entries());
  }
}

const ofApplications = [
  '_configureRenderOptions',
  '_preFirstRender',
  '_preRender',
  '_preClose',
  '_renderFrame',
  '_insertElement',
  '_onPosition',
  '_onClickAction',
  'form',
  'classList',
  'minimized',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
];

export function createApplications() {
  const statics = Object.fromEntries(
    ['RENDER_STATES', 'inheritanceChain'].map((name) => [name, 'static 12-14']),
  );
  declare('ApplicationV2', {
    more: { ...everywhere(ofApplications), ...statics, instances: 'static 13-14' },
  });
  return { ApplicationV2: strictClass(ApplicationV2, 'ApplicationV2') };
}
