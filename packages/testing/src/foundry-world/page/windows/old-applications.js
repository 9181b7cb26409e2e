import { world } from '../parts.js';
import { declare, deprecated, everywhere, facts, strict, strictClass } from '../strict.js';

/** Windows of the first generation, which 13 and later still open and tell to be old; and as much of jQuery as they hand around. */

class Query extends Array {
  find(selector) {
    if (typeof selector === 'function') return super.find(selector);
    return wrap(this.flatMap((element) => [...element.querySelectorAll(selector)]));
  }
  on(type, ...rest) {
    const [run] = rest.slice(-1);
    const selector = rest.length > 1 ? rest[0] : undefined;
    for (const element of this) {
      element.addEventListener(type, (event) => {
        if (selector === undefined) return run.call(event.currentTarget, event);
        const target = event.target.closest(selector);
        return target ? run.call(target, event) : undefined;
      });
    }
    return this;
  }
  click(run) {
    return run ? this.on('click', run) : this.each((_, element) => element.click());
  }
  each(run) {
    [...this].forEach((element, index) => run.call(element, index, element));
    return this;
  }
  attr(name, value) {
    if (value === undefined) return this[0]?.getAttribute(name) ?? undefined;
    return this.each((_, element) => element.setAttribute(name, value));
  }
  data(name) {
    return this[0]?.dataset[name];
  }
  val(value) {
    if (value === undefined) return this[0]?.value;
    return this.each((_, element) => Object.assign(element, { value }));
  }
  text(value) {
    if (value === undefined) return [...this].map(({ textContent }) => textContent).join('');
    return this.each((_, element) => Object.assign(element, { textContent: value }));
  }
  html(value) {
    if (value === undefined) return this[0]?.innerHTML;
    return this.each((_, element) => Object.assign(element, { innerHTML: value }));
  }
  prop(name, value) {
    if (value === undefined) return this[0]?.[name];
    return this.each((_, element) => Object.assign(element, { [name]: value }));
  }
  css(name, value) {
    return this.each((_, element) => element.style.setProperty(name, value));
  }
  append(...children) {
    for (const child of children) {
      if (typeof child === 'string') this[0]?.insertAdjacentHTML('beforeend', child);
      else this[0]?.append(...[child].flat());
    }
    return this;
  }
  prepend(child) {
    if (typeof child === 'string') this[0]?.insertAdjacentHTML('afterbegin', child);
    else this[0]?.prepend(...[child].flat());
    return this;
  }
  addClass(name) {
    return this.each((_, element) => element.classList.add(...name.split(' ')));
  }
  removeClass(name) {
    return this.each((_, element) => element.classList.remove(...name.split(' ')));
  }
  toggleClass(name, force) {
    return this.each((_, element) => element.classList.toggle(name, force));
  }
  hasClass(name) {
    return this[0]?.classList.contains(name) === true;
  }
  remove() {
    return this.each((_, element) => element.remove());
  }
  empty() {
    return this.each((_, element) => element.replaceChildren());
  }
  closest(selector) {
    return wrap(this.map((element) => element.closest(selector)).filter(Boolean));
  }
  get(index) {
    return index === undefined ? [...this] : this[index];
  }
  show() {
    return this.css('display', '');
  }
  hide() {
    return this.css('display', 'none');
  }
}

export function wrap(what) {
  if (what instanceof Query) return what;
  const out = new Query();
  if (typeof what === 'string' && what.trim().startsWith('<')) {
    const holder = document.createElement('template');
    holder.innerHTML = what.trim();
    out.push(...holder.content.children);
  } else if (typeof what === 'string') out.push(...document.querySelectorAll(what));
  else if (typeof what === 'function') what();
  else if (what) out.push(...[what].flat());
  return out;
}

const old = Symbol('old');
let last = 0;

class Application {
  static get defaultOptions() {
    return {
      id: '',
      classes: [],
      title: '',
      template: null,
      width: null,
      height: null,
      popOut: true,
      resizable: false,
      tabs: [],
    };
  }
  constructor(options = {}) {
    // The system's own sheets are no module's doing.
    if (facts.generation >= 13 && !this.constructor.isOfSystem)
      deprecated('Application of the first generation');
    this.options = { ...this.constructor.defaultOptions, ...options };
    this.appId = ++last;
    this.position = { width: this.options.width, height: this.options.height };
    const proxy = strict(this, 'Application', { isOpen: true });
    proxy[old] = { element: null, proxy };
    return proxy;
  }
  get id() {
    return this.options.id || `app-${this.appId}`;
  }
  get title() {
    return game.i18n.localize(this.options.title);
  }
  get template() {
    return this.options.template;
  }
  get element() {
    return wrap(this[old].element ?? []);
  }
  get rendered() {
    return this[old].element !== null;
  }
  getData() {
    return {};
  }
  activateListeners() {}
  render(force = false, options = {}) {
    if (force || this.rendered) void this._render(force, options);
    return this[old].proxy;
  }
  async _render() {
    const data = await this.getData(this.options);
    const inside = await this._renderInner(data);
    let frame = this[old].element;
    if (!frame) {
      frame = document.createElement('div');
      frame.id = this.id;
      frame.className = ['app', 'window-app', ...this.options.classes].join(' ');
      frame.innerHTML =
        '<header class="window-header"><h4 class="window-title"></h4><a class="close">Close</a></header><section class="window-content"></section>';
      frame.querySelector('.close').addEventListener('click', () => void this.close());
      document.body.append(frame);
      this[old].element = frame;
      ui.windows[this.appId] = this[old].proxy;
    }
    frame.querySelector('.window-title').textContent = this.title;
    frame.querySelector('.window-content').replaceChildren(...inside);
    this.activateListeners(wrap(frame));
    for (const name of namesOf(this))
      world.hooks.callAll(`render${name}`, this[old].proxy, wrap(frame), data);
  }
  async _renderInner(data) {
    return wrap(this.template ? await world.renderTemplate(this.template, data) : '<div></div>');
  }
  async close() {
    const { element, proxy } = this[old];
    if (!element) return;
    element.remove();
    this[old].element = null;
    delete ui.windows[this.appId];
    for (const name of namesOf(this)) world.hooks.callAll(`close${name}`, proxy, wrap(element));
  }
  setPosition(position = {}) {
    return Object.assign(this.position, position);
  }
  bringToTop() {}
  minimize() {
    return Promise.resolve();
  }
  maximize() {
    return Promise.resolve();
  }
}

function namesOf(app) {
  const names = [];
  for (let at = app.constructor; at?.name; at = Object.getPrototypeOf(at)) names.push(at.name);
  return [...new Set(names)];
}

class FormApplication extends Application {
  static get defaultOptions() {
    return { ...super.defaultOptions, closeOnSubmit: true, submitOnChange: false, editable: true };
  }
  constructor(object = {}, options = {}) {
    super(options);
    this.object = object;
  }
  get isEditable() {
    return this.options.editable;
  }
  get form() {
    return this[old].element?.querySelector('form') ?? null;
  }
  getData() {
    return { object: this.object, options: this.options, title: this.title };
  }
  activateListeners(html) {
    super.activateListeners(html);
    this.form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit(event);
    });
  }
  async submit(event) {
    const data = Object.fromEntries(new FormData(this.form));
    await this._updateObject(event, data);
    if (this.options.closeOnSubmit) await this.close();
  }
  _updateObject() {
    throw new Error('A subclass of the FormApplication must implement the _updateObject method.');
  }
}

class Dialog extends Application {
  constructor(data, options) {
    super(options);
    this.data = data;
  }
  static get defaultOptions() {
    return { ...super.defaultOptions, classes: ['dialog'], width: 400 };
  }
  static async confirm({ title, content, yes, no, defaultYes = true, rejectClose = false } = {}) {
    return new Promise((resolve, reject) => {
      const buttons = {
        yes: { label: 'Yes', callback: (html) => resolve(yes ? yes(html) : true) },
        no: { label: 'No', callback: (html) => resolve(no ? no(html) : false) },
      };
      const close = () =>
        rejectClose
          ? reject(new Error('The confirmation Dialog was closed without a choice being made'))
          : resolve(null);
      new Dialog({ title, content, buttons, close, default: defaultYes ? 'yes' : 'no' }).render(true);
    });
  }
  static async prompt({ title, content, label = 'OK', callback, rejectClose = true } = {}) {
    return new Promise((resolve, reject) => {
      const buttons = { ok: { label, callback: (html) => resolve(callback ? callback(html) : null) } };
      const close = () =>
        rejectClose
          ? reject(new Error('The Dialog prompt was closed without being accepted.'))
          : resolve(null);
      new Dialog({ title, content, buttons, close, default: 'ok' }).render(true);
    });
  }
  get title() {
    return this.data.title ?? 'Dialog';
  }
  async _renderInner() {
    const body = document.createElement('div');
    body.className = 'dialog-content';
    body.innerHTML = this.data.content ?? '';
    const buttons = document.createElement('div');
    buttons.className = 'dialog-buttons';
    for (const [name, { label, callback }] of Object.entries(this.data.buttons ?? {})) {
      const button = buttons.appendChild(document.createElement('button'));
      button.className = `dialog-button ${name}`;
      button.dataset.button = name;
      button.textContent = label;
      button.addEventListener('click', () => {
        this[old].isPressed = true;
        callback?.(wrap(this[old].element));
        void this.close();
      });
    }
    return wrap([body, buttons]);
  }
  async close(options) {
    await super.close(options);
    if (!this[old].isPressed) this.data.close?.();
  }
}

export function createOldApplications() {
  const members = [
    'id',
    'title',
    'template',
    'element',
    'rendered',
    'options',
    'appId',
    'position',
    'getData',
    'activateListeners',
    'render',
  ];
  const more = [
    '_render',
    '_renderInner',
    'close',
    'setPosition',
    'bringToTop',
    'minimize',
    'maximize',
    'form',
    'object',
    'submit',
    'data',
  ];
  declare('Application', {
    more: {
      ...everywhere([...members, ...more, 'isEditable', '_updateObject']),
      defaultOptions: 'static 12-14',
      confirm: 'static 12-14',
      prompt: 'static 12-14',
    },
  });
  return Object.fromEntries(
    Object.entries({ Application, FormApplication, Dialog }).map(([name, cls]) => [
      name,
      strictClass(cls, 'Application'),
    ]),
  );
}
