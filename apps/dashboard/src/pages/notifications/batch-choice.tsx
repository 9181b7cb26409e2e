import type { Signal } from '@preact/signals';
import { Field } from '../../parts/form/field.tsx';

/** In seconds, with the words for them. */
const usual = new Map([
  [10, '10 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
]);

/** How long what happens is collected. A program may have set any number of seconds, which is offered too. */
export function BatchChoice({ seconds }: { seconds: Signal<number> }) {
  const choices = [...new Set([...usual.keys(), seconds.value])].toSorted((a, b) => a - b);
  return (
    <Field
      label="Collect for"
      hint="What happens in this time comes in one message. A world that comes and goes is told ever less often."
      name="batchSeconds"
    >
      {(attributes) => (
        <select
          {...attributes}
          value={String(seconds.value)}
          onChange={(event) => (seconds.value = Number(event.currentTarget.value))}
        >
          {choices.map((choice) => (
            <option value={String(choice)} key={choice}>
              {usual.get(choice) ?? `${choice.toLocaleString('en')} seconds`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
