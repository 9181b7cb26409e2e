import type { Entry } from '../trust/activity.ts';
import { readable } from '../trust/values.ts';
import { text } from '../words/text.ts';
import type { MakeElement } from './element.ts';

export interface ActivityView {
  entries: readonly Entry[];
  /** The name of the program that is shown alone; empty: all. */
  program: string;
}

export interface ActivityActs {
  showProgram(name: string): void;
  copy(words: string): void;
}

/** What programs did and were refused, newest first. */
export function drawActivity(
  element: MakeElement,
  { entries, program }: ActivityView,
  acts: ActivityActs,
): HTMLElement {
  const programs = [...new Set(entries.map(({ caller }) => caller))];
  const shown = entries.filter(({ caller }) => program === '' || caller === program).toReversed();
  const id = 'tabletop-relay-program';
  return element(
    'section',
    {},
    element('p', {}, text('activity.text')),
    element(
      'p',
      { class: 'tabletop-relay-field' },
      element('label', { for: id }, text('activity.program')),
      element(
        'select',
        { id, value: program, oninput: acts.showProgram },
        element('option', { value: '' }, text('activity.all')),
        ...programs.map((name) => element('option', { value: name }, nameOf(name))),
      ),
    ),
    shown.length === 0 && element('p', { role: 'status' }, text('activity.none')),
    shown.length > 0 &&
      element(
        'ol',
        { class: 'tabletop-relay-activity', tabindex: '0', 'aria-label': text('tab.activity') },
        ...shown.map((entry) => drawEntry(element, entry)),
      ),
    shown.length > 0 &&
      element(
        'button',
        {
          type: 'button',
          id: 'tabletop-relay-activity-copy',
          onclick: () => acts.copy(shown.map(lineOf).join('\n')),
        },
        text('activity.copy'),
      ),
  );
}

function drawEntry(element: MakeElement, entry: Entry): HTMLElement {
  const row = element(
    'li',
    {},
    element('span', { class: 'tabletop-relay-muted' }, timeOf(entry)),
    element('span', {}, wordsOf(entry)),
    element('span', { class: 'tabletop-relay-muted' }, outcomeOf(entry)),
  );
  row.dataset['outcome'] = entry.outcome;
  return row;
}

const nameOf = (caller: string): string => (caller === '' ? text('activity.unknown') : readable(caller));

const timeOf = ({ at }: Entry): string => new Date(at).toLocaleTimeString();

function wordsOf({ caller, operation, outcome, target, count }: Entry): string {
  const words = text(`operation.${operation}.${outcome === 'done' ? 'did' : 'tried'}`);
  const what = target === '' ? words : `${words}: ${readable(target)}`;
  return `${nameOf(caller)} ${what}${count > 1 ? ` (${count}×)` : ''}`;
}

const outcomeOf = ({ outcome, reason, ms }: Entry): string =>
  outcome === 'done'
    ? text('activity.done', { ms: String(ms) })
    : text('activity.refused', { reason: readable(reason) });

const lineOf = (entry: Entry): string => `${timeOf(entry)} ${wordsOf(entry)} ${outcomeOf(entry)}`;
