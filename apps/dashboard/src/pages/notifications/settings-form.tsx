import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { notifiedEventNames, notifiedEvents } from '@tabletop-relay/contract';
import type { NotificationSettings } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { Field } from '../../parts/field.tsx';
import { messageAt, ProblemNotice } from '../../parts/problem.tsx';
import { useAction } from '../../use-action.ts';
import { MailChoice } from './mail-choice.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { saveSettings } from './save-settings.ts';

export function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const events = useSignal(settings.events);
  const isMailed = useSignal(settings.email.enabled);
  const batchSeconds = useSignal(String(settings.batchSeconds));
  const quietHours = useSignal(settings.quietHours);
  const { run, isBusy, problem } = useAction(async () => {
    await saveSettings(settings, {
      events: events.value,
      email: { enabled: isMailed.value },
      batchSeconds: Number(batchSeconds.value),
      quietHours: quietHours.value,
    });
    announce('Notifications saved.');
  });
  return (
    <form
      class="narrow"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Events chosen={events} />
      <MailChoice isOn={isMailed} isAvailable={settings.email.available} />
      <Field
        label="Collect for (seconds)"
        hint="What happens in this time comes in one message. A world that comes and goes is told ever less often."
        error={messageAt(problem.value, 'batchSeconds')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={10}
            max={86_400}
            required
            value={batchSeconds.value}
            onInput={(event) => (batchSeconds.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <QuietHours hours={quietHours} problem={problem.value} />
      <ProblemNotice problem={problem.value} />
      <button class="primary" disabled={isBusy.value}>
        Save
      </button>
    </form>
  );
}

function Events({ chosen }: { chosen: Signal<NotificationSettings['events']> }) {
  return (
    <fieldset>
      <legend>Tell me when</legend>
      {notifiedEventNames.map((name) => (
        <label class="choice" key={name}>
          <input
            type="checkbox"
            checked={chosen.value[name]}
            onChange={(event) => (chosen.value = { ...chosen.value, [name]: event.currentTarget.checked })}
          />{' '}
          {notifiedEvents[name]}
        </label>
      ))}
    </fieldset>
  );
}
