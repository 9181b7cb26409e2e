import type { Signal } from '@preact/signals';

export type RollMode = 'normal' | 'advantage' | 'disadvantage';

const modes = [
  { value: 'normal', label: 'Normal' },
  { value: 'advantage', label: 'Advantage' },
  { value: 'disadvantage', label: 'Disadvantage' },
] as const;

/** How the rolls below it are made, until it is changed. */
export function RollModeChoice({ mode }: { mode: Signal<RollMode> }) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">How to roll</legend>
      {modes.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name="roll-mode"
            checked={mode.value === value}
            onChange={() => (mode.value = value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The mode as the parameters of an operation. */
export function parametersOf(mode: RollMode): { advantage?: true; disadvantage?: true } {
  return mode === 'normal' ? {} : { [mode]: true };
}
