import type { Action, Description } from '../line/describe.ts';
import type { LineState } from '../line/line.ts';
import type { OtherModule } from '../line/other-module.ts';
import { isSameRelay } from '../line/other-module.ts';
import type { TextKey } from '../words/english.ts';
import { text } from '../words/text.ts';
import { drawActivity } from './activity-part.ts';
import type { ActivityActs, ActivityView } from './activity-part.ts';
import type { MakeElement } from './element.ts';
import { drawCode, drawPolicy } from './policy-part.ts';
import type { PolicyActs, PolicyView } from './policy-part.ts';
import { drawTabs } from './tabs.ts';
import type { TabName } from './tabs.ts';

/** What the window shows; it is drawn anew at each change. */
export interface WindowView {
  description: Description;
  state: LineState;
  relayUrl: string;
  other: OtherModule | undefined;
  version: { version: string; tabletop: string; system: string };
  report: string | undefined;
  isPaired: boolean;
  /** Whether any browser of the world is paired. */
  isWorldPaired: boolean;
  /** Who paused the world; empty where nobody did. */
  pausedBy: string;
  policy: PolicyView;
  activity: ActivityView;
}

export interface WindowActs {
  act(action: Action): void;
  setRelayUrl(url: string): void;
  unpair(): void;
  test(): void;
  /** `id`: of the text that is selected where a browser has no clipboard. */
  copy(words: string, id?: string): void;
  togglePause(): void;
  policy: PolicyActs;
  activity: Omit<ActivityActs, 'copy'>;
}

/** Draws the window: who is no game master has nothing but the first part. */
export function drawWindow(
  element: MakeElement,
  view: WindowView & { tab: TabName },
  acts: WindowActs & { show(tab: TabName): void },
): HTMLElement {
  const { description, tab } = view;
  const isMaster = description.standing !== 'off';
  const shown = isMaster ? tab : 'connection';
  const part = parts[shown](element, view, acts);
  return element(
    'div',
    { class: 'tabletop-relay-content' },
    ...(isMaster ? drawTabs(element, { shown, show: acts.show }, ...part) : part),
  );
}

type DrawPart = (element: MakeElement, view: WindowView, acts: WindowActs) => HTMLElement[];

const parts: Readonly<Record<TabName, DrawPart>> = {
  connection: drawConnection,
  policy: (element, { policy }, acts) => [drawPolicy(element, policy, acts.policy)],
  code: (element, { policy }, acts) => [drawCode(element, policy, acts.policy)],
  activity: (element, { activity }, { copy, ...acts }) => [
    drawActivity(element, activity, { ...acts.activity, copy }),
  ],
  help: (element, view) => [
    drawWords(element, 'window.truth.title', 'window.truth.text'),
    drawWords(element, 'window.trust.title', 'window.trust.text'),
    drawWords(element, 'window.help.title', 'window.help.text'),
    element('p', { class: 'tabletop-relay-muted' }, text('window.version', view.version)),
  ],
};

function drawConnection(element: MakeElement, view: WindowView, acts: WindowActs): HTMLElement[] {
  const { description, other } = view;
  const isMaster = description.standing !== 'off';
  const all = [
    drawStanding(element, view, acts),
    isMaster && (view.isWorldPaired || view.pausedBy !== '') && drawPause(element, view, acts),
    isMaster && drawAddress(element, view, acts),
    other && isMaster && drawOther(element, view, other),
    isMaster && view.isPaired && drawUnpair(element, acts),
    drawTest(element, view, acts),
  ];
  return all.filter((one) => one instanceof Object);
}

/** Where the state has that button already, there is no second one. */
function drawPause(
  element: MakeElement,
  { description, pausedBy }: WindowView,
  acts: WindowActs,
): HTMLElement | undefined {
  if (description.action === 'resume') return undefined;
  const isPaused = pausedBy !== '';
  return element(
    'p',
    {},
    isPaused && text('pause.by', { user: pausedBy }),
    element(
      'button',
      { type: 'button', id: 'tabletop-relay-pause', onclick: acts.togglePause },
      text(isPaused ? 'pause.lift' : 'pause.set'),
    ),
  );
}

function drawStanding(
  element: MakeElement,
  { description, state }: WindowView,
  acts: WindowActs,
): HTMLElement {
  const { standing, tone, action, data } = description;
  const { pairing, problem } = state;
  const dot = element('span', { class: 'tabletop-relay-dot', 'aria-hidden': 'true' });
  const section = element(
    'section',
    { class: 'tabletop-relay-standing' },
    element('h2', {}, dot, text(`state.${standing}.title`)),
    element(
      'p',
      { role: 'status' },
      pairing?.isBlocked ? text('state.pairing.blocked.text') : text(`state.${standing}.text`, data),
    ),
    pairing?.pageUrl !== undefined && drawLink(element, pairing.pageUrl),
    problem !== undefined && standing !== 'mixed' && element('p', { role: 'alert' }, wordsOf(problem)),
    action !== 'none' &&
      element(
        'button',
        { type: 'button', class: 'tabletop-relay-action', onclick: () => acts.act(action) },
        text(`state.${standing}.action` as TextKey),
      ),
  );
  section.dataset['tone'] = tone;
  section.dataset['standing'] = standing;
  return section;
}

/** The address was read as one of the web before the line gave it on. */
function drawLink(element: MakeElement, pageUrl: string): HTMLElement {
  const link = element('a', { href: pageUrl, class: 'tabletop-relay-link' }, text('window.relay.link'));
  link.target = '_blank';
  link.rel = 'noopener';
  return element('p', {}, link);
}

function wordsOf(problem: NonNullable<LineState['problem']>): string {
  if (typeof problem === 'string') return text(`problem.${problem}`);
  const { code, detail, retryAfterMs } = problem;
  if (retryAfterMs !== undefined) {
    return text('problem.rate', { seconds: String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
  }
  const known = problemWords[code];
  return known ? text(known) : text('problem.other', { detail });
}

const problemWords: Readonly<Record<string, TextKey>> = {
  denied: 'problem.denied',
  code_expired: 'problem.expired',
  unreachable: 'problem.unreachable',
  bad_answer: 'problem.not-a-relay',
  not_found: 'problem.not-a-relay',
  invalid_url: 'problem.invalid',
};

function drawAddress(element: MakeElement, { relayUrl, state }: WindowView, acts: WindowActs): HTMLElement {
  const id = 'tabletop-relay-address';
  const input = element('input', { id, type: 'url', value: relayUrl, oninput: acts.setRelayUrl });
  input.disabled = state.pairing !== undefined;
  input.spellcheck = false;
  return element(
    'p',
    { class: 'tabletop-relay-field' },
    element('label', { for: id }, text('window.relay.label')),
    input,
  );
}

function drawOther(element: MakeElement, view: WindowView, other: OtherModule): HTMLElement {
  const { relayUrl, isPaired, state } = view;
  if (!isPaired && isSameRelay(other.pairedRelayUrl, relayUrl)) {
    return element('p', {}, text('window.joins', { module: other.title }));
  }
  const isOurs = state.status.state === 'connected';
  const which = text(isOurs ? 'window.both.ours' : 'window.both.other');
  return element('p', {}, text('window.both.text', { module: other.title, which }));
}

const drawUnpair = (element: MakeElement, acts: WindowActs): HTMLElement =>
  element('p', {}, element('button', { type: 'button', onclick: acts.unpair }, text('window.unpair')));

function drawTest(element: MakeElement, { report }: WindowView, acts: WindowActs): HTMLElement {
  const id = 'tabletop-relay-report';
  return element(
    'section',
    {},
    element('p', { class: 'tabletop-relay-muted' }, text('window.test.hint')),
    element(
      'button',
      { type: 'button', class: 'tabletop-relay-test', onclick: acts.test },
      text('window.test.label'),
    ),
    report !== undefined && element('label', { for: id }, text('window.test.report')),
    report !== undefined && element('textarea', { id, value: report, readonly: true }),
    report !== undefined &&
      element('button', { type: 'button', onclick: () => acts.copy(report, id) }, text('window.test.copy')),
  );
}

const drawWords = (element: MakeElement, title: TextKey, words: TextKey): HTMLElement =>
  element('section', {}, element('h2', {}, text(title)), element('p', {}, text(words)));
