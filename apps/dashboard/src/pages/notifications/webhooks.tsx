import { useSignal } from '@preact/signals';
import { webhookKinds } from '@tabletop-relay/contract';
import type { NotificationSettings, WebhookKind } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { Field } from '../../parts/form/field.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { State } from '../../parts/state.tsx';
import { useAction } from '../../use-action.ts';
import { saveSettings } from './save-settings.ts';
import { TestButton } from './test-button.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

type Webhook = NotificationSettings['webhooks'][number];

const kindWords: Record<WebhookKind, string> = {
  standard: 'A program (Standard Webhooks)',
  discord: 'Discord',
  slack: 'Slack',
  mattermost: 'Mattermost',
};

export function Webhooks({ settings }: { settings: NotificationSettings }) {
  const secret = useSignal<string | undefined>(undefined);
  return (
    <section>
      <h2>Webhooks</h2>
      {secret.value !== undefined && (
        <SecretOnce what="Webhook secret" value={secret.value} onStored={() => (secret.value = undefined)} />
      )}
      {settings.webhooks.length > 0 && (
        <ul class="rows">
          {settings.webhooks.map((webhook) => (
            <WebhookRow settings={settings} webhook={webhook} key={webhook.id} />
          ))}
        </ul>
      )}
      <AddWebhook settings={settings} onSecret={(value) => (secret.value = value)} />
    </section>
  );
}

function WebhookRow({ settings, webhook }: { settings: NotificationSettings; webhook: Webhook }) {
  const { id, kind, url, enabled } = webhook;
  const others = settings.webhooks.filter((one) => one.id !== id);
  const { run, isBusy, problem } = useAction(async (webhooks: Webhook[]) => {
    await saveSettings(settings, {
      webhooks: webhooks.map((one) => ({ id: one.id, kind: one.kind, url: one.url, enabled: one.enabled })),
    });
  });
  const { host } = new URL(url);
  return (
    <li class="row">
      <div class="grow">
        <p>
          <strong>{host}</strong> <WebhookState webhook={webhook} />
        </p>
        <p class="muted">{kindWords[kind]}</p>
        <ProblemNotice problem={problem.value} />
        {enabled && <TestButton what={host} webhookId={id} />}
      </div>
      <button
        type="button"
        aria-label={`${enabled ? 'Switch off' : 'Switch on'} ${host}`}
        disabled={isBusy.value}
        onClick={() => void run([...others, { ...webhook, enabled: !enabled }])}
      >
        {enabled ? 'Switch off' : 'Switch on'}
      </button>
      <button
        type="button"
        aria-label={`Delete ${host}`}
        disabled={isBusy.value}
        onClick={() => void run(others)}
      >
        Delete
      </button>
    </li>
  );
}

function WebhookState({ webhook: { enabled, failingSince, switchedOffAt } }: { webhook: Webhook }) {
  if (switchedOffAt) {
    return (
      <>
        <State tone="bad" word="Switched off" /> it failed for days, until <Ago at={switchedOffAt} />
      </>
    );
  }
  if (!enabled) return <State tone="off" word="Off" />;
  if (!failingSince) return <State tone="good" word="On" />;
  return (
    <>
      <State tone="warn" word="Failing" /> since <Ago at={failingSince} />
    </>
  );
}

interface AddWebhookProps {
  settings: NotificationSettings;
  onSecret: (secret: string) => void;
}

function AddWebhook({ settings, onSecret }: AddWebhookProps) {
  const kind = useSignal<WebhookKind>('discord');
  const url = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    const known = settings.webhooks.map(({ id, kind: is, url: to, enabled }) => ({
      id,
      kind: is,
      url: to,
      enabled,
    }));
    const saved = await saveSettings(settings, {
      webhooks: [...known, { kind: kind.value, url: url.value }],
    });
    const made = saved.webhooks.find(({ secret }) => secret !== undefined);
    if (made?.secret !== undefined) onSecret(made.secret);
    url.value = '';
  });
  return (
    <Form class="add-webhook" problem={problem.value} send={() => void run()}>
      <Field label="Send to">
        {(attributes) => (
          <select
            {...attributes}
            value={kind.value}
            onChange={(event) => (kind.value = event.currentTarget.value as WebhookKind)}
          >
            {webhookKinds.map((name) => (
              <option value={name} key={name}>
                {kindWords[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Address"
        name={`webhooks[${settings.webhooks.length}].url`}
        hint="The address for incoming webhooks that the receiver gave you."
      >
        {(attributes) => (
          <input
            {...attributes}
            type="url"
            required
            autoComplete="off"
            value={url.value}
            onInput={(event) => (url.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <FormProblem />
      <button disabled={isBusy.value}>Add webhook</button>
    </Form>
  );
}
