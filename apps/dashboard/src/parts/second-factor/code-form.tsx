import { useSignal } from '@preact/signals';
import type { FactorMethod } from '@tabletop-relay/contract';
import { Field } from '../form/field.tsx';
import { Form } from '../form/form.tsx';

export type CodeMethod = Exclude<FactorMethod, 'passkey'>;

const terms = {
  totp: {
    label: 'Code from your authenticator app',
    hint: 'Six digits; a new one comes every 30 seconds.',
    wrong:
      'This code is wrong, was used before or came too late. Wait for the next one, and look at the clock of your phone.',
    input: {
      inputMode: 'numeric',
      autoComplete: 'one-time-code',
      pattern: '\\s*\\d{3}\\s?\\d{3}\\s*',
      title: 'Six digits',
    },
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of the codes that you stored when you set up your second factor.',
    wrong: 'This is not one of your recovery codes, or it was used before.',
    input: {
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellcheck: false,
      maxLength: 64,
      class: 'mono',
    },
  },
} as const;

interface CodeFormProps {
  method: CodeMethod;
  /** On the button. */
  verb: string;
  /** The look of the button. */
  tone: string;
  isBusy: boolean;
  isWrong: boolean;
  send: (code: string) => Promise<void>;
}

/** A code of the authenticator app, or a recovery code. What was typed stays when it is refused. */
export function CodeForm({ method, verb, tone, isBusy, isWrong, send }: CodeFormProps) {
  const code = useSignal('');
  const { label, hint, wrong, input } = terms[method];
  return (
    <Form problem={undefined} send={() => void send(code.value.replaceAll(/\s/g, ''))}>
      <Field label={label} hint={hint} error={isWrong ? wrong : undefined}>
        {(attributes) => (
          <input
            {...attributes}
            {...input}
            required
            value={code}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <button class={tone} disabled={isBusy}>
        {verb}
      </button>
    </Form>
  );
}
