import type { Scope } from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import {
  isGameMaster,
  readPolicySetting,
  readSetting,
  refreshSetting,
  tabletop,
  worldId,
  writeSetting,
} from '../tabletop/foundry.ts';
import type { ActivityActs, ActivityView } from '../window/activity-part.ts';
import type { PolicyActs, PolicyView } from '../window/policy-part.ts';
import { createQuestionWindow } from '../window/question-window.ts';
import type { TabName } from '../window/tabs.ts';
import { text } from '../words/text.ts';
import { packageId } from '../../module-manifest.ts';
import { createActivity } from './activity.ts';
import { createPauseTeller } from './pause.ts';
import { readPolicy } from './policy.ts';
import type { Level, Policy } from './policy.ts';
import { createQuestions } from './questions.ts';
import { createTouch } from './touch.ts';
import { createTrust } from './trust.ts';

export interface GameMasterOptions {
  module: () => TabletopModule;
  /** What is shown is another one now: of that part of the window, or of all. */
  onChange(only?: TabName): void;
  onError(error: unknown): void;
}

/** Everything by which a game master has programs in hand: the policy, its questions, the pause and the log, with what the window shows of them. */
// oxlint-disable-next-line max-lines-per-function -- It puts the parts together, a few lines each.
export function createGameMaster({ module, onChange, onError }: GameMasterOptions) {
  const settings = {
    readPolicy: () => readPolicy(readPolicySetting()),
    writePolicy: (policy: Policy) => writeSetting('policy', policy),
    readPausedBy: () => readSetting('pausedBy'),
  };
  const headlessKey = `${packageId}.${worldId()}.headless`;
  const isHeadless = () => globalThis.localStorage.getItem(headlessKey) !== null;
  const questions = createQuestions({
    onChange() {
      questionWindow.update();
      onChange();
    },
  });
  const activity = createActivity({
    area: globalThis.sessionStorage,
    key: `${packageId}.${worldId()}.activity`,
    onChange: () => onChange('activity'),
  });
  const touch = createTouch({
    socket: tabletop.game.socket,
    // A player's browser carries nothing out.
    refresh: async () => {
      if (isGameMaster()) await Promise.all([refreshSetting('policy'), refreshSetting('pausedBy')]);
    },
    onRead: () => settingsChanged(),
    onError,
  });
  const trust = createTrust({ settings, questions, activity, isHeadless, touch });
  const questionWindow = createQuestionWindow(
    () => questions.open,
    (id, press) => void trust.answer(id, press).catch(onError),
  );
  const tellPause = createPauseTeller(module, touch.isSure, onError);
  globalThis.addEventListener('pagehide', () => activity.save());

  let lineState = '';
  let shownPausedBy = settings.readPausedBy();
  let weighed: PolicyView['weighed'];
  let program = '';
  const unfolded = new Set<Scope>();

  const write = (policy: Policy) => {
    weighed = undefined;
    void settings.writePolicy(policy).catch(onError);
    onChange();
  };
  const change = (changes: (policy: Policy) => Partial<Policy>) => {
    const policy = settings.readPolicy();
    write({ ...policy, ...changes(policy) });
  };
  const withLevel = <N extends string>(
    levels: Partial<Record<N, Level>>,
    name: N,
    level: Level | undefined,
  ) => {
    const { [name]: _before, ...others } = levels;
    return { ...others, ...(level !== undefined && { [name]: level }) } as Partial<Record<N, Level>>;
  };

  const policyActs: PolicyActs = {
    choosePreset: (preset) => change(() => ({ preset, scopes: {}, operations: {} })),
    setScope: (scope, level) => change(({ scopes }) => ({ scopes: withLevel(scopes, scope, level) })),
    setOperation: (name, level) =>
      change(({ operations }) => ({ operations: withLevel(operations, name, level) })),
    takeBack: ({ hash, callerId }) =>
      change(({ code }) => ({
        code: code.filter((one) => one.hash !== hash || one.callerId !== callerId),
      })),
    weigh(scope, level) {
      weighed = { scope, level };
      onChange();
    },
    unfold: (scope, isOpen) => void (isOpen ? unfolded.add(scope) : unfolded.delete(scope)),
  };

  const userName = () => tabletop.game.user?.name ?? '?';
  /** Here alone too, where the tabletop's server did not keep it. */
  const pausedBy = () => settings.readPausedBy() || (trust.isPaused() ? userName() : '');
  const writePause = (by: string) =>
    void writeSetting('pausedBy', by).catch((error: unknown) => {
      onError(error);
      tabletop.ui.notifications.warn(text('pause.failed'));
    });

  function togglePause(): void {
    if (pausedBy() === '') {
      // At once here; the others hear it from the tabletop's server.
      trust.pause();
      writePause(userName());
    } else if (settings.readPausedBy() === '') trust.resume();
    else writePause('');
    onChange();
  }

  /** Another browser, or this one, has written a setting. */
  function settingsChanged(): void {
    trust.changed();
    tellPause();
    const by = settings.readPausedBy();
    if (by !== shownPausedBy && isGameMaster()) tellPeople(by);
    shownPausedBy = by;
    // Pressed while the tabletop's server was away: now it can be kept.
    if (by === '' && trust.isPaused()) writePause(userName());
    onChange();
  }

  const activityActs: Omit<ActivityActs, 'copy'> = {
    showProgram(name) {
      program = name;
      onChange();
    },
  };

  return {
    guard: trust.guard,
    mayTell: trust.mayTell,
    isHeadless,
    policyActs,
    activityActs,
    showQuestion: () => questionWindow.show(),

    get pausedBy(): string {
      return pausedBy();
    },
    get questions(): number {
      return questions.open.length;
    },
    get policy(): PolicyView {
      return { policy: settings.readPolicy(), isHeadless: isHeadless(), weighed, unfolded };
    },
    get activity(): ActivityView {
      return { entries: activity.entries, program };
    },

    /** A headless session came to this browser, or a person pairs it. */
    setHeadless(isOne: boolean): void {
      if (isOne) globalThis.localStorage.setItem(headlessKey, '1');
      else globalThis.localStorage.removeItem(headlessKey);
    },

    togglePause,

    /** Lifts the pause; where the tabletop has none any more, the relay has not heard that yet. */
    resume(): void {
      if (pausedBy() !== '') togglePause();
      else touch.read();
    },

    settingsChanged,

    /** After a sleep the relay's line is back before this browser knows that it has lost the tabletop's server. */
    lineChanged(): void {
      const { state } = module().status;
      if (state === 'connected' && lineState !== state) touch.read();
      lineState = state;
      tellPause();
    },

    /** Another browser serves from now on: what was asked here is asked there, should the program come again. */
    stopAsking: () => trust.withdraw(),
  };
}

export type GameMaster = ReturnType<typeof createGameMaster>;

function tellPeople(pausedBy: string): void {
  const { notifications } = tabletop.ui;
  if (pausedBy === '') notifications.info(text('notice.lifted'));
  else notifications.warn(text('notice.paused', { user: pausedBy }));
}
