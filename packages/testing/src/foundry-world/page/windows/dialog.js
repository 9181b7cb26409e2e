import { ApplicationV2, FormDataExtended, view } from './applications.js';
import { declare, facts, strictClass } from '../strict.js';

/** Questions: a press resolves them. */

class DialogV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: 'dialog-{id}',
    classes: ['dialog'],
    tag: 'dialog',
    window: { contentTag: 'form', contentClasses: ['dialog-form'] },
  };

  static async confirm({ yes = {}, no = {}, ...options } = {}) {
    const buttons = [
      { action: 'yes', label: 'Yes', callback: () => true, ...yes },
      { action: 'no', label: 'No', default: true, callback: () => false, ...no },
    ];
    return this.wait({ buttons, ...options });
  }
  static async prompt({ ok = {}, ...options } = {}) {
    return this.wait({ buttons: [{ action: 'ok', label: 'Confirm', default: true, ...ok }], ...options });
  }
  static async input({ ok = {}, ...options } = {}) {
    return this.prompt({
      ok: { callback: (event, button) => new FormDataExtended(button.form).object, ...ok },
      ...options,
    });
  }
  static query(user, type, config) {
    return user.query('dialog', { type, config });
  }
  /** Resolves with what the pressed button's callback gives, or its action; a close resolves null, or rejects where that is asked. */
  static wait({ rejectClose = facts.generation < 13, close, render, ...options } = {}) {
    return new Promise((resolve, reject) => {
      const dialog = new this({ ...options, submit: (result) => resolve(result) });
      dialog.addEventListener('close', (event) => {
        if (close) resolve(close(event, dialog));
        else if (rejectClose) reject(new Error('Dialog was dismissed without pressing a button.'));
        else resolve(null);
      });
      if (render) dialog.addEventListener('render', (event) => render(event, dialog));
      void dialog.render({ force: true });
    });
  }

  async _renderHTML() {
    const { content = '', buttons = [] } = this.options;
    if (buttons.length === 0) throw new Error('You must define at least one entry in options.buttons');
    const body = document.createElement('div');
    body.className = 'dialog-content standard-form';
    if (content instanceof HTMLElement) body.append(content);
    else body.innerHTML = content;
    const footer = document.createElement('footer');
    footer.className = 'form-footer';
    for (const button of buttons) {
      const element = footer.appendChild(document.createElement('button'));
      Object.assign(element, {
        type: 'submit',
        textContent: game.i18n.localize(button.label ?? button.action),
        autofocus: button.default === true,
      });
      element.dataset.action = button.action;
    }
    return [body, footer];
  }
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }
  _attachFrameListeners() {
    this.element.addEventListener('click', (event) => {
      const target = event.target.closest('button[data-action]');
      if (!target) return;
      event.preventDefault();
      if (target.dataset.action === 'close') return void dismiss(this);
      void press(this, event, target);
    });
  }
  async _onRender() {
    this.element.show?.();
    this[view].proxy.dispatchEvent(new Event('render'));
  }
}

async function dismiss(dialog) {
  await dialog.close();
  dialog.dispatchEvent(new Event('close'));
}

async function press(dialog, event, target) {
  const button = dialog.options.buttons.find(({ action }) => action === target.dataset.action);
  const result =
    (await button.callback?.(event, target, facts.generation >= 13 ? dialog[view].proxy : dialog.element)) ??
    button.action;
  await dialog.options.submit?.(result, dialog[view].proxy);
  await dialog.close();
}

export function createDialogs() {
  declare('DialogV2', { parents: ['ApplicationV2'] });
  return { DialogV2: strictClass(DialogV2, 'DialogV2') };
}
