import type { Description } from '../line/describe.ts';
import { text } from '../words/text.ts';
import { elementsOf } from './element.ts';

/**
 * The light: a button that says in words and colour how the line stands. It lies before the list of players, which is drawn anew without touching
 * it, and where a tabletop has no list of that name in the corner of the page.
 */
export function createStatusLight(document: Document, open: () => void): (description: Description) => void {
  const element = elementsOf(document);
  const words = element('span', {});
  const dot = element('span', { class: 'tabletop-relay-dot' });
  dot.setAttribute('aria-hidden', 'true');
  const light = element(
    'button',
    { type: 'button', class: 'tabletop-relay-light', onclick: open },
    dot,
    words,
  );
  const players = document.getElementById('players');
  if (players) players.before(light);
  else {
    light.classList.add('tabletop-relay-corner');
    document.body.append(light);
  }
  return ({ standing, tone }) => {
    const state = text(`state.${standing}.title`);
    light.dataset['tone'] = tone;
    words.textContent = state;
    light.setAttribute('aria-label', text('light.label', { state }));
  };
}
