import type { Signal } from '@preact/signals';
import type { NotificationSettings } from '@tabletop-relay/contract';
import type { TargetedInputEvent } from 'preact';
import { Field } from '../../parts/form/field.tsx';

type Hours = NonNullable<NotificationSettings['quietHours']>;

const usualHours = (): Hours => ({
  from: '22:00',
  to: '08:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** `hours` is undefined where there are none. */
export function QuietHours({ hours }: { hours: Signal<Hours | undefined> }) {
  const set = (name: keyof Hours) => (event: TargetedInputEvent<HTMLInputElement>) => {
    hours.value = { ...(hours.value ?? usualHours()), [name]: event.currentTarget.value };
  };
  const shown = hours.value;
  return (
    <fieldset>
      <legend>Quiet hours</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={shown !== undefined}
          onChange={(event) => (hours.value = event.currentTarget.checked ? usualHours() : undefined)}
        />{' '}
        There are hours in which only what concerns security is told
      </label>
      {shown && (
        <div class="hours">
          <Field label="From" name="quietHours.from">
            {(attributes) => (
              <input {...attributes} type="time" required value={shown.from} onInput={set('from')} />
            )}
          </Field>
          <Field label="To" name="quietHours.to">
            {(attributes) => (
              <input {...attributes} type="time" required value={shown.to} onInput={set('to')} />
            )}
          </Field>
          <Field label="Time zone" name="quietHours.timeZone">
            {(attributes) => (
              <input {...attributes} required value={shown.timeZone} onInput={set('timeZone')} />
            )}
          </Field>
        </div>
      )}
    </fieldset>
  );
}
