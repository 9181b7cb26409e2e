import type { Description } from '../line/describe.ts';
import { text } from '../words/text.ts';
import { elementsOf } from './element.ts';

export interface LightView {
  description: Description;
  isPaused: boolean;
  /** Whether programs can reach the world by any of its browsers. */
  isWorldPaired: boolean;
  /** How many questions wait for a person. */
  questions: number;
}

export interface LightActs {
  open(): void;
  showQuestion(): void;
  togglePause(): void;
}

/**
 * The light: a button that says in words and colour how the line stands, and how many questions wait; beside it the button that pauses all
 * programs. It lies before the list of players, which is drawn anew without touching it, and where a tabletop has no list of that name in the
 * corner of the page.
 */
export function createStatusLight(document: Document, acts: LightActs): (view: LightView) => void {
  const element = elementsOf(document);
  const words = element('span', {});
  const dot = element('span', { class: 'tabletop-relay-dot', 'aria-hidden': 'true' });
  const state = { isAsking: false };
  const light = element(
    'button',
    {
      type: 'button',
      class: 'tabletop-relay-light',
      onclick: () => (state.isAsking ? acts.showQuestion() : acts.open()),
    },
    dot,
    words,
  );
  const pause = element('button', {
    type: 'button',
    class: 'tabletop-relay-pause',
    onclick: acts.togglePause,
  });
  const both = element('div', { class: 'tabletop-relay-lights' }, light, pause);
  const players = document.getElementById('players');
  if (players) players.before(both);
  else {
    both.classList.add('tabletop-relay-corner');
    document.body.append(both);
  }
  return ({ description: { standing, tone }, isPaused, isWorldPaired, questions }) => {
    state.isAsking = questions > 0;
    const said = state.isAsking
      ? text('light.asks', { count: String(questions) })
      : text(`state.${standing}.title`);
    light.dataset['tone'] = state.isAsking ? 'busy' : tone;
    words.textContent = said;
    light.setAttribute('aria-label', text('light.label', { state: said }));
    const what = text(isPaused ? 'pause.lift' : 'pause.set');
    pause.setAttribute('aria-label', what);
    pause.title = what;
    pause.hidden = !isWorldPaired && !isPaused;
    pause.replaceChildren(
      element('i', { class: isPaused ? 'fa-solid fa-play' : 'fa-solid fa-pause', 'aria-hidden': 'true' }),
      isPaused ? '▶' : '❚❚',
    );
  };
}
