import type { Signal } from '@preact/signals';
import type { NotificationSettings } from '@tabletop-relay/contract';
import type { RelayError } from '@tabletop-relay/sdk';
import type { TargetedInputEvent } from 'preact';
import { Field } from '../../parts/field.tsx';
import { messageAt } from '../../parts/problem.tsx';

type Hours = NonNullable<NotificationSettings['quietHours']>;

interface QuietHoursProps {
  /** Undefined: none. */
  hours: Signal<Hours | undefined>;
  problem: RelayError | undefined;
}

const usualHours = (): Hours => ({
  from: '22:00',
  to: '08:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export function QuietHours({ hours, problem }: QuietHoursProps) {
  const set = (name: keyof Hours) => (event: TargetedInputEvent<HTMLInputElement>) => {
    hours.value = { ...(hours.value ?? usualHours()), [name]: event.currentTarget.value };
  };
  const errorAt = (name: keyof Hours) => messageAt(problem, `quietHours.${name}`);
  const shown = hours.value;
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={shown !== undefined}
          onChange={(event) => (hours.value = event.currentTarget.checked ? usualHours() : undefined)}
        />{' '}
        Quiet hours, in which only what concerns security is told
      </label>
      {shown && (
        <div class="indented">
          <Field label="From" error={errorAt('from')}>
            {(attributes) => (
              <input {...attributes} type="time" required value={shown.from} onInput={set('from')} />
            )}
          </Field>
          <Field label="To" error={errorAt('to')}>
            {(attributes) => (
              <input {...attributes} type="time" required value={shown.to} onInput={set('to')} />
            )}
          </Field>
          <Field label="Time zone" error={errorAt('timeZone')}>
            {(attributes) => (
              <input {...attributes} required value={shown.timeZone} onInput={set('timeZone')} />
            )}
          </Field>
        </div>
      )}
    </>
  );
}
