import { declare, everywhere, strict, strictClass, strictSpace } from './strict.js';
import { calculate, is, makeTerm, parse, rollDice, tables } from './terms.js';
import { getProperty } from './utils.js';

/** `Roll`: formulas are read, rolled and told as the tabletop does; dice fall by `CONFIG.Dice.randomUniform`. */

/** Under which name the members of a roll's class are known. */
export const rollTable = Symbol('rollTable');

export class RollBase {
  static [rollTable] = 'Roll';

  constructor(formula, data = {}, options = {}) {
    const proxy = strict(this, this.constructor[rollTable], { isOpen: true });
    Object.assign(this, { data, options, terms: [], _evaluated: false, _total: undefined, _dice: [] });
    this.terms = parse(String(formula), data);
    return proxy;
  }
  static create(formula, data = {}, options = {}) {
    return new CONFIG.Dice.rolls[0](formula, data, options);
  }
  static validate(formula) {
    try {
      new Roll(String(formula).replaceAll(/@[\w.-]+/g, '1')).evaluateSync({ minimize: true });
      return true;
    } catch {
      return false;
    }
  }
  static parse(formula, data) {
    return parse(formula, data);
  }
  static replaceFormulaData(formula, data, { missing, warn = false } = {}) {
    return String(formula).replaceAll(/@([\w.-]+)/g, (match, path) => {
      const value = getProperty(data, path);
      if (value === undefined || value === null) {
        if (warn) ui.notifications.warn(`${match} is missing`);
        return missing ?? match;
      }
      return String(value).trim();
    });
  }
  static safeEval(expression) {
    return new Roll(expression).evaluateSync().total;
  }
  static fromTerms(terms, options = {}) {
    const roll = new this('0', {}, options);
    roll.terms = terms;
    roll._evaluated = terms.every((term) => term.isDeterministic || term._evaluated);
    if (roll._evaluated) roll._total = calculate(terms);
    return roll;
  }
  static fromData(data) {
    const cls = CONFIG.Dice.rolls.find(({ name }) => name === data.class) ?? this;
    const roll = new cls('0', {}, data.options ?? {});
    const kinds = Object.fromEntries([
      ...Object.entries(tables).map(([type, name]) => [name, type]),
      ['Die', 'dice'],
    ]);
    roll.terms = data.terms.map(({ class: name, evaluated, ...term }) =>
      makeTerm(kinds[name], { ...term, _evaluated: evaluated }),
    );
    Object.assign(roll, { _total: data.total, _evaluated: data.evaluated ?? true });
    return roll;
  }
  static fromJSON(json) {
    return this.fromData(JSON.parse(json));
  }
  static collapseInlineResult() {}

  get formula() {
    return this.terms
      .map((term) => term.formula)
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  }
  get result() {
    return this.terms.map((term) => term.total ?? term.expression).join('');
  }
  get total() {
    return this._evaluated ? this._total : undefined;
  }
  get product() {
    return this.total;
  }
  get dice() {
    return this.terms.filter((term) => is(term, 'dice'));
  }
  get isDeterministic() {
    return this.dice.length === 0;
  }
  async evaluate({ minimize = false, maximize = false, allowInteractive = true } = {}) {
    if (allowInteractive && world.isManual()) await world.askForDice(this);
    return this.evaluateSync({ minimize, maximize, strict: false });
  }
  evaluateSync({ minimize = false, maximize = false } = {}) {
    if (this._evaluated) throw new Error('The Roll has already been evaluated and is now immutable');
    for (const term of this.dice) rollDice(term, { minimize, maximize });
    this._total = calculate(this.terms);
    this._evaluated = true;
    return this;
  }
  reroll(options) {
    return this.clone().evaluate(options);
  }
  clone() {
    return new this.constructor(this.formula, this.data, this.options);
  }
  alter(multiply, add) {
    for (const term of this.dice) term.number = Math.max(0, Math.round(term.number * multiply + add));
    return this;
  }
  async render({ flavor = '', isPrivate = false } = {}) {
    if (!this._evaluated) await this.evaluate();
    const shown = isPrivate ? ['???', '?'] : [this.formula, this.total];
    const root = document.createElement('div');
    root.innerHTML = '<div class="dice-roll"><div class="dice-result"></div></div>';
    for (const [name, text] of [
      ['dice-flavor', flavor],
      ['dice-formula', shown[0]],
      ['dice-total', String(shown[1])],
    ]) {
      if (!text) continue;
      const part = root.querySelector('.dice-result').appendChild(document.createElement('div'));
      part.className = name;
      part.textContent = text;
    }
    return root.innerHTML;
  }
  toAnchor({ label } = {}) {
    const link = document.createElement('a');
    link.className = 'inline-roll inline-result';
    link.textContent = label ?? String(this.total);
    return link;
  }
  async toMessage(messageData = {}, { create = true, ...options } = {}) {
    if (!this._evaluated) await this.evaluate({ allowInteractive: options[world.modeOption()] !== 'blind' });
    const data = {
      content: String(this.total),
      sound: CONFIG.sounds.dice,
      author: game.user.id,
      ...messageData,
      rolls: [this],
    };
    const message = world.withMode(data, options);
    return create ? ChatMessage.implementation.create(message, options) : message;
  }
  toJSON() {
    const terms = this.terms.map((term) => term.toJSON());
    const { options, total, formula } = this;
    return {
      class: this.constructor.name,
      options,
      dice: [],
      formula,
      terms,
      total,
      evaluated: this._evaluated,
    };
  }
}

/** What rolling needs of the rest of the page. */
export const world = {};

export function createRoll() {
  const common = [
    'options',
    'flavor',
    'expression',
    'formula',
    'isDeterministic',
    'total',
    '_evaluated',
    'toJSON',
    'evaluate',
  ];
  const own = { dice: ['number', 'faces', 'modifiers', 'results', 'values', 'denomination'], sign: ['term'] };
  for (const [type, table] of Object.entries(tables))
    declare(table, { more: everywhere([...common, ...(own[type] ?? [type])]) });
  declare('Roll', { more: { ...everywhere(['data', '_total', '_dice', 'clone', '_formula']), ...statics } });
  Object.defineProperty(RollBase, 'name', { value: 'Roll' });
  return strictClass(RollBase, 'Roll');
}

const statics = { CHAT_TEMPLATE: 'static 12-14' };
RollBase.CHAT_TEMPLATE = 'templates/dice/roll.html';

export const diceConfig = (Roll) => ({
  rolls: [Roll],
  types: [],
  terms: {},
  randomUniform: Math.random,
  modes: undefined,
  fulfillment: strictSpace(
    {
      defaultMethod: '',
      dice: {},
      methods: {},
    },
    'CONFIG.Dice.fulfillment',
  ),
});
