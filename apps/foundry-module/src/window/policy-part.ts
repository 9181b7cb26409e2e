import type { Scope } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';
import { operationFacts } from '../trust/operation-facts.ts';
import {
  guardedScopes,
  levelOfOperation,
  levelOfScope,
  levelsOf,
  operationsOf,
  policyScopes,
  presetNames,
} from '../trust/policy.ts';
import type { ApprovedCode, Level, Policy, PresetName } from '../trust/policy.ts';
import { text } from '../words/text.ts';
import type { MakeElement } from './element.ts';

export interface PolicyActs {
  choosePreset(preset: PresetName): void;
  setScope(scope: Scope, level: Level): void;
  /** Without a level it goes by its scope again. */
  setOperation(name: OperationName, level: Level | undefined): void;
  takeBack(code: ApprovedCode): void;
  /** Shows what a guarded scope lets programs do, before it is set. */
  weigh(scope: Scope, level: Level): void;
  unfold(scope: Scope, isOpen: boolean): void;
}

export interface PolicyView {
  policy: Policy;
  isHeadless: boolean;
  /** The guarded scope that waits for a second press, and the level that it would have. */
  weighed: { scope: Scope; level: Level } | undefined;
  unfolded: ReadonlySet<Scope>;
}

/** What programs may do: three presets, each scope, and where wanted each operation. */
export function drawPolicy(element: MakeElement, view: PolicyView, acts: PolicyActs): HTMLElement {
  const { policy } = view;
  const isChanged = Object.keys(policy.scopes).length + Object.keys(policy.operations).length > 0;
  const free = policyScopes.filter((scope) => !guardedScopes.includes(scope));
  return element(
    'section',
    {},
    element('p', {}, text('policy.text')),
    view.isHeadless && element('p', {}, text('policy.headless')),
    element(
      'div',
      { role: 'group', 'aria-label': text('policy.presets'), class: 'tabletop-relay-presets' },
      ...presetNames.map((preset) => drawPreset(element, preset, { policy, acts })),
    ),
    isChanged && element('p', { class: 'tabletop-relay-muted' }, text('policy.changed')),
    element(
      'ul',
      { class: 'tabletop-relay-scopes' },
      ...free.map((scope) => drawScope(element, scope, { view, acts })),
    ),
  );
}

/** What runs code, and what else is denied until it is allowed by itself. */
export function drawCode(element: MakeElement, view: PolicyView, acts: PolicyActs): HTMLElement {
  const { code } = view.policy;
  return element(
    'section',
    {},
    element('p', {}, text('code.text')),
    element('p', { role: 'note', class: 'tabletop-relay-warning' }, text('code.warning')),
    element(
      'ul',
      { class: 'tabletop-relay-scopes' },
      ...guardedScopes.map((scope) => drawScope(element, scope, { view, acts })),
    ),
    element('h2', {}, text('code.approved.title')),
    code.length === 0 && element('p', {}, text('code.approved.none')),
    code.length > 0 &&
      element(
        'ul',
        { class: 'tabletop-relay-scopes' },
        ...code.toReversed().map((one) => drawApproved(element, one, acts)),
      ),
  );
}

function drawPreset(
  element: MakeElement,
  preset: PresetName,
  { policy, acts }: { policy: Policy; acts: PolicyActs },
): HTMLElement {
  return element(
    'button',
    {
      type: 'button',
      id: `tabletop-relay-preset-${preset}`,
      'aria-pressed': String(policy.preset === preset),
      onclick: () => acts.choosePreset(preset),
    },
    element('strong', {}, text(`policy.preset.${preset}.title`)),
    element('span', {}, text(`policy.preset.${preset}.text`)),
  );
}

interface Drawn {
  view: PolicyView;
  acts: PolicyActs;
}

function drawScope(element: MakeElement, scope: Scope, { view, acts }: Drawn): HTMLElement {
  const { policy, weighed } = view;
  const id = idOf('scope', scope);
  const isGuarded = guardedScopes.includes(scope);
  const set = (level: Level = 'deny') =>
    isGuarded && level !== 'deny' ? acts.weigh(scope, level) : acts.setScope(scope, level);
  const operations = operationsOf(scope);
  const row = element(
    'li',
    {},
    element('label', { for: id }, text(`scope.${scope}.title`)),
    drawLevels(element, { id, levels: levelsOf(scope), chosen: levelOfScope(policy, scope), set }),
    isGuarded && element('p', { class: 'tabletop-relay-muted' }, text(`scope.${scope}.danger`)),
    weighed?.scope === scope && drawWeighed(element, weighed, acts),
    operations.length > 1 &&
      element(
        'details',
        { isOpen: view.unfolded.has(scope), ontoggle: (isOpen) => acts.unfold(scope, isOpen) },
        element('summary', { id: `${id}-more` }, text('policy.operations')),
        element('ul', {}, ...operations.map((name) => drawOperation(element, name, { view, acts }))),
      ),
  );
  row.dataset['scope'] = scope;
  return row;
}

function drawWeighed(
  element: MakeElement,
  { scope, level }: { scope: Scope; level: Level },
  acts: PolicyActs,
): HTMLElement {
  return element(
    'div',
    { role: 'alert', class: 'tabletop-relay-weighed' },
    element('p', {}, text('code.weigh.text')),
    element(
      'button',
      { type: 'button', id: idOf('keep', scope), onclick: () => acts.setScope(scope, 'deny') },
      text('code.weigh.no'),
    ),
    element(
      'button',
      { type: 'button', id: idOf('confirm', scope), onclick: () => acts.setScope(scope, level) },
      text(level === 'ask' ? 'code.weigh.ask' : 'code.weigh.allow'),
    ),
  );
}

function drawOperation(element: MakeElement, name: OperationName, { view, acts }: Drawn): HTMLElement {
  const { policy } = view;
  const id = idOf('operation', name);
  const { scope } = operationFacts[name];
  const own = policy.operations[name];
  return element(
    'li',
    {},
    element('label', { for: id }, text(`operation.${name}.asks`)),
    drawLevels(element, {
      id,
      levels: levelsOf(scope),
      chosen: own,
      usual: levelOfOperation({ ...policy, operations: {} }, name),
      set: (level) => acts.setOperation(name, level),
    }),
  );
}

interface Levels {
  id: string;
  levels: readonly Level[];
  chosen: Level | undefined;
  /** What holds where nothing is chosen; without it something always is. */
  usual?: Level;
  set(level: Level | undefined): void;
}

function drawLevels(element: MakeElement, { id, levels, chosen, usual, set }: Levels): HTMLElement {
  const option = (value: string, words: string) => element('option', { value }, words);
  return element(
    'select',
    {
      id,
      value: chosen ?? '',
      oninput: (value) => set(levels.find((level) => level === value)),
    },
    usual !== undefined && option('', text('policy.level.usual', { level: text(`policy.level.${usual}`) })),
    ...levels.map((level) => option(level, text(`policy.level.${level}`))),
  );
}

function drawApproved(element: MakeElement, code: ApprovedCode, acts: PolicyActs): HTMLElement {
  const { hash, callerName, callerId, at } = code;
  const id = `tabletop-relay-code-${hash.slice(0, 12)}-${callerId.replaceAll(/\W/g, '').slice(0, 12)}`;
  return element(
    'li',
    {},
    element(
      'span',
      { id },
      text('code.approved.one', {
        program: callerName,
        hash: hash.slice(0, 12),
        date: new Date(at).toLocaleDateString(),
      }),
    ),
    element(
      'button',
      { type: 'button', id: `${id}-back`, 'aria-describedby': id, onclick: () => acts.takeBack(code) },
      text('code.approved.back'),
    ),
  );
}

const idOf = (what: string, name: string): string => `tabletop-relay-${what}-${name.replaceAll(':', '-')}`;
