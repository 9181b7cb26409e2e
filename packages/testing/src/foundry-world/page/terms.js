import { strict } from './strict.js';

/** The terms of a formula: read, thrown and added up. */

/** What the next dice show, for tests; then chance again. */
const fixed = [];
export const fixDice = (...faces) => void fixed.push(...faces);

function throwDie(faces) {
  if (fixed.length > 0) return fixed.shift();
  return Math.ceil(CONFIG.Dice.randomUniform() * faces) || 1;
}

const tokens =
  /\s*(?:(?<dice>(?:\d+|\((?<count>[^()]*)\))?d(?:\d+|%|f|c)(?<modifiers>(?:(?:k[hl]?|d[hl]?|rr?|xo?|x|min|max|cs|cf|ms|even|odd)(?:[<>]=?|=)?\d*)*))|(?<number>\d+(?:\.\d+)?)|(?<fn>floor|ceil|round|abs|min|max|sign|sqrt)(?=\()|(?<flavor>\[[^\]]*\])|(?<text>@[\w.-]+)|(?<sign>[-+*/%(),{}]))/giy;

function* tokenize(formula) {
  tokens.lastIndex = 0;
  let at = 0;
  while (at < formula.length) {
    if (/^\s*$/.test(formula.slice(at))) return;
    tokens.lastIndex = at;
    const match = tokens.exec(formula);
    if (!match) throw new Error(`Unresolved StringTerm ${formula.slice(at)} requested for evaluation`);
    at = tokens.lastIndex;
    yield match;
  }
}

/** What a term is to this file: `dice`, `number`, `operator`, `fn` or `sign` (a bracket or comma), with its value. */
const kind = Symbol('kind');
export const tables = {
  dice: 'DiceTerm',
  number: 'NumericTerm',
  operator: 'OperatorTerm',
  fn: 'FunctionTerm',
  sign: 'ParentheticalTerm',
};

class RollTerm {
  constructor(type, data) {
    this[kind] = type;
    Object.assign(this, { options: {}, _evaluated: type !== 'dice', ...data });
  }
  get flavor() {
    return this.options.flavor ?? '';
  }
  get expression() {
    if (this[kind] === 'operator') return ` ${this.operator} `;
    if (this[kind] === 'dice') return `${this.number}d${this.faces}${this.modifiers.join('')}`;
    return String(this[this[kind] === 'sign' ? 'term' : this[kind]]);
  }
  get formula() {
    return this.flavor ? `${this.expression}[${this.flavor}]` : this.expression;
  }
  get isDeterministic() {
    return this[kind] !== 'dice';
  }
  get values() {
    return this.results.filter(({ active }) => active).map(({ result }) => result);
  }
  get total() {
    if (this[kind] === 'number') return this.number;
    if (this[kind] !== 'dice' || !this._evaluated) return undefined;
    return this.results
      .filter(({ active }) => active)
      .reduce((sum, { result, count }) => sum + (count ?? result), 0);
  }
  get denomination() {
    return 'd';
  }
  toJSON() {
    const { _evaluated: evaluated, ...rest } = this;
    return { class: this[kind] === 'dice' ? 'Die' : tables[this[kind]], evaluated, ...rest };
  }
}

export const makeTerm = (type, data) => strict(new RollTerm(type, data), tables[type], { isOpen: true });
export const is = (term, type, value) =>
  term?.[kind] === type && (value === undefined || term[type === 'sign' ? 'term' : type] === value);

export function parse(formula, data) {
  const terms = [];
  for (const { groups } of tokenize(Roll.replaceFormulaData(formula, data ?? {}, { missing: '0' }))) {
    if (groups.dice) terms.push(parseDice(groups, data));
    else if (groups.number !== undefined) terms.push(makeTerm('number', { number: Number(groups.number) }));
    else if (groups.flavor) {
      if (terms.length > 0) terms.at(-1).options.flavor = groups.flavor.slice(1, -1);
    } else if (groups.fn) terms.push(makeTerm('fn', { fn: groups.fn.toLowerCase() }));
    else if ('+-*/%'.includes(groups.sign)) terms.push(makeTerm('operator', { operator: groups.sign }));
    else terms.push(makeTerm('sign', { term: groups.sign }));
  }
  if (terms.length === 0) throw new Error(`The formula "${formula}" has no term`);
  return terms;
}

function parseDice({ dice, count, modifiers }, data) {
  const [head, rest] = dice.toLowerCase().split(/d(?=\d|%|f|c)/, 2);
  const number =
    count !== undefined ? new Roll(count, data).evaluateSync().total : head === '' ? 1 : Number(head);
  const denomination = /^(\d+|%|f|c)/.exec(rest)[1];
  const faces =
    denomination === '%' ? 100 : denomination === 'f' ? 3 : denomination === 'c' ? 2 : Number(denomination);
  if (number > 999) throw new Error('You may not evaluate a DiceTerm with more than 999 requested results');
  const list = modifiers
    ? modifiers.toLowerCase().match(/(k[hl]?|d[hl]?|rr?|xo?|min|max|cs|cf|ms|even|odd)(?:[<>]=?|=)?\d*/g)
    : [];
  return makeTerm('dice', { number, faces, modifiers: list ?? [], results: [] });
}

export function rollDice(term, { minimize, maximize }) {
  const die = () => ({ result: minimize ? 1 : maximize ? term.faces : throwDie(term.faces), active: true });
  term.results = Array.from({ length: term.number }, die);
  for (const modifier of term.modifiers) applyModifier(term, modifier, die);
  term._evaluated = true;
}

function compare(result, sign, target) {
  if (sign === '<') return result < target;
  if (sign === '<=') return result <= target;
  if (sign === '>') return result > target;
  if (sign === '>=') return result >= target;
  return result === target;
}

function applyModifier(term, modifier, die) {
  const [, name, sign, text] = /^([a-z]+)([<>]=?|=)?(\d*)$/.exec(modifier);
  const target = text === '' ? undefined : Number(text);
  const active = term.results.filter((entry) => entry.active);
  const sorted = [...active].sort((a, b) => a.result - b.result);
  const discard = (list) => list.forEach((entry) => Object.assign(entry, { active: false, discarded: true }));
  if (name === 'k' || name === 'kh') discard(sorted.slice(0, Math.max(0, sorted.length - (target ?? 1))));
  else if (name === 'kl') discard(sorted.slice(target ?? 1));
  else if (name === 'd' || name === 'dl') discard(sorted.slice(0, target ?? 1));
  else if (name === 'dh') discard(sorted.slice(Math.max(0, sorted.length - (target ?? 1))));
  else if (name === 'r' || name === 'rr') {
    for (const entry of active) {
      if (!compare(entry.result, sign, target ?? 1)) continue;
      Object.assign(entry, { active: false, rerolled: true });
      term.results.push(die());
    }
  } else if (name === 'x' || name === 'xo') {
    for (let index = 0; index < term.results.length && term.results.length < 200; index += 1) {
      if (!compare(term.results[index].result, sign, target ?? term.faces)) continue;
      term.results[index].exploded = true;
      if (name === 'x' || index < active.length) term.results.push(die());
    }
  } else if (name === 'min' || name === 'max') {
    for (const entry of active) entry.result = Math[name === 'min' ? 'max' : 'min'](entry.result, target);
  } else {
    for (const entry of active) {
      const isHit =
        name === 'even' || name === 'odd'
          ? entry.result % 2 === Number(name === 'odd')
          : compare(entry.result, sign, target);
      entry.count = Number(isHit) * (name === 'cf' ? -1 : 1);
      entry[name === 'cf' ? 'failure' : 'success'] = isHit;
    }
  }
}

/** A sum of products of signed terms; brackets and functions in them. */
export function calculate(terms) {
  let at = 0;
  const isNext = (...operators) => operators.some((sign) => is(terms[at], 'operator', sign));
  const sum = () => {
    let value = product();
    while (isNext('+', '-')) value += terms[at++].operator === '+' ? product() : -product();
    return value;
  };
  const product = () => {
    let value = signed();
    while (isNext('*', '/', '%')) {
      const { operator } = terms[at++];
      const right = signed();
      value = operator === '*' ? value * right : operator === '/' ? value / right : value % right;
    }
    return value;
  };
  const signed = () => {
    const term = terms[at++];
    if (is(term, 'operator', '-')) return -signed();
    if (is(term, 'operator', '+')) return signed();
    if (is(term, 'fn')) return Math[term.fn](...list());
    if (is(term, 'sign', '(')) return (at--, list()[0]);
    if (term?.total === undefined) throw new Error('The formula is not complete');
    return term.total;
  };
  const list = () => {
    const values = [];
    do {
      at++;
      values.push(sum());
    } while (is(terms[at], 'sign', ','));
    if (!is(terms[at], 'sign', ')')) throw new Error('A bracket is not closed');
    at++;
    return values;
  };
  const total = sum();
  if (at < terms.length) throw new Error(`Unexpected ${terms[at].expression} in the formula`);
  return Math.round(total * 1e9) / 1e9;
}
