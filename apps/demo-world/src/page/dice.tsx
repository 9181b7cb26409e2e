import type { DieRoll } from '../world/state.ts';

/** The outline of each die as it lies on the table, in a box of 32. */
const outlines: Record<number, string> = {
  4: 'M16 3L30 28H2Z',
  6: 'M5 5H27V27H5Z',
  8: 'M16 2L29 16L16 30L3 16Z',
  10: 'M16 2L30 14V19L16 30L2 19V14Z',
  12: 'M16 2L30 12.5L24.7 29H7.3L2 12.5Z',
  20: 'M16 1.5L29 9V23L16 30.5L3 23V9Z',
};

const facets: Record<number, string> = {
  8: 'M3 16H29',
  20: 'M16 1.5V7M29 9L24 11.5M3 9L8 11.5M3 23L8 21M29 23L24 21',
};

/** The dice of a roll, each with its face up; what was not kept is struck through. */
export function Dice({ dice, isTumbling }: { dice: readonly DieRoll[]; isTumbling: boolean }) {
  return (
    <ul class={`dice${isTumbling ? ' is-tumbling' : ''}`} aria-label="Dice">
      {dice.flatMap(({ faces, results }, group) =>
        results.map(({ value, kept }, index) => (
          <li key={`${group}.${index}`} class={kept ? '' : 'is-dropped'}>
            <Die faces={faces} value={value} isKept={kept} />
          </li>
        )),
      )}
    </ul>
  );
}

function Die({ faces, value, isKept }: { faces: number; value: number; isKept: boolean }) {
  return (
    <>
      <DieShape faces={faces} value={value} />
      <span class="visually-hidden">
        {value} on a d{faces}
        {isKept ? '' : ', dropped'}
      </span>
    </>
  );
}

/** One die with a number on it; a die of unusual faces is drawn round. */
function DieShape({ faces, value }: { faces: number; value: number }) {
  const path = outlines[faces];
  const edge = value === faces ? ' is-highest' : value === 1 ? ' is-lowest' : '';
  return (
    <svg viewBox="0 0 32 32" class={`die${edge}`} aria-hidden="true">
      {path ? <path class="face" d={path} /> : <circle class="face" cx="16" cy="16" r="14" />}
      {facets[faces] && <path class="facet" d={facets[faces]} />}
      <text x="16" y={faces === 4 ? 24.5 : 21} class={value > 99 ? 'is-long' : ''}>
        {value}
      </text>
    </svg>
  );
}
