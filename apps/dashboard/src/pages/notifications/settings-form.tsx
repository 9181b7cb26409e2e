import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { notifiedEventNames, notifiedEvents } from '@tabletop-relay/contract';
import type { NotificationSettings } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../use-action.ts';
import { MailChoice } from './mail-choice.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { saveSettings } from './save-settings.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

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
    <Form class="narrow" problem={problem.value} send={() => void run()}>
      <Events chosen={events} />
      <MailChoice isOn={isMailed} isAvailable={settings.email.available} />
      <Field
        label="Collect for (seconds)"
        hint="What happens in this time comes in one message. A world that comes and goes is told ever less often."
        name="batchSeconds"
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
      <QuietHours hours={quietHours} />
      <FormProblem />
      <button class="primary" disabled={isBusy.value}>
        Save
      </button>
    </Form>
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
