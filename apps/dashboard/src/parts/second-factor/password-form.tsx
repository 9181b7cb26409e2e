import { useSignal } from '@preact/signals';
import type { SecondFactorAnswer } from '@tabletop-relay/contract';
import type { ComponentChildren } from 'preact';
import { CurrentPasswordField } from '../form/current-password-field.tsx';
import type { Tone } from './factor-step.tsx';
import { LazyFactorStep } from './lazy-factor-step.tsx';
import { useFactorAction } from './use-factor-action.ts';
import { Form, FormProblem } from '../form/form.tsx';

/** Proof that the account's owner asks: the fields that each endpoint with a password has. */
export interface Proof {
  password: string;
  secondFactor: SecondFactorAnswer | undefined;
}

interface PasswordFormProps {
  /** On the button that does it. */
  verb: string;
  tone?: Tone;
  /** Fields above the password. */
  children?: ComponentChildren;
  act: (proof: Proof) => Promise<void>;
  cancel?: () => void;
}

/** Asks for the password, and for the second factor where the account has one. */
export function PasswordForm({ verb, tone = 'primary', children, act, cancel }: PasswordFormProps) {
  const password = useSignal('');
  const action = useFactorAction((secondFactor) => act({ password: password.value, secondFactor }));
  const { run, isBusy, problem, demand } = action;
  if (demand.value) return <LazyFactorStep action={action} verb={verb} tone={tone} />;
  return (
    <Form problem={problem.value} send={() => void run()}>
      {children}
      <CurrentPasswordField label="Your password" value={password} />
      <FormProblem />
      <div class="buttons">
        <button class={tone} disabled={isBusy.value}>
          {verb}
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </Form>
  );
}
