import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { notifiedEventNames, notifiedEvents } from '@tabletop-relay/contract';
import type { NotificationSettings } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { useAction } from '../../use-action.ts';
import { BatchChoice } from './batch-choice.tsx';
import { MailChoice } from './mail-choice.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { saveSettings } from './save-settings.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const events = useSignal(settings.events);
  const isMailed = useSignal(settings.email.enabled);
  const batchSeconds = useSignal(settings.batchSeconds);
  const quietHours = useSignal(settings.quietHours);
  const { run, isBusy, problem } = useAction(async () => {
    await saveSettings(settings, {
      events: events.value,
      email: { enabled: isMailed.value },
      batchSeconds: batchSeconds.value,
      quietHours: quietHours.value,
    });
    announce('Notifications saved.');
  });
  return (
    <Form problem={problem.value} send={() => void run()}>
      <div class="columns">
        <Events chosen={events} />
        <div class="stack">
          <BatchChoice seconds={batchSeconds} />
          <QuietHours hours={quietHours} />
          <MailChoice isOn={isMailed} isAvailable={settings.email.available} />
        </div>
      </div>
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
