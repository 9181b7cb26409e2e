import type { Description } from '../line/describe.ts';
import { text } from '../words/text.ts';
import { elementsOf } from './element.ts';

/**
 * The light: a button that says in words and colour how the line stands. It lies in the list of players, and where a tabletop has none of that
 * name in the corner of the page.
 */
export function createStatusLight(
  document: Document,
  open: () => void,
): { show(description: Description): void; place(): void } {
  const element = elementsOf(document);
  const words = element('span', { class: 'tabletop-relay-light-words' });
  const dot = element('span', { class: 'tabletop-relay-dot' });
  dot.setAttribute('aria-hidden', 'true');
  const light = element(
    'button',
    { type: 'button', class: 'tabletop-relay-light', onclick: open },
    dot,
    words,
  );

  const place = () => {
    const players = document.getElementById('players');
    const home = players ?? document.body;
    light.classList.toggle('tabletop-relay-corner', players === null);
    if (light.parentElement !== home) home.append(light);
  };
  return {
    place,
    show({ standing, tone }) {
      const state = text(`state.${standing}.title`);
      light.dataset['tone'] = tone;
      words.textContent = state;
      light.setAttribute('aria-label', text('light.label', { state }));
      place();
    },
  };
}
