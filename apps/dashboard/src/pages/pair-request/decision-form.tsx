import type { ComponentChildren } from 'preact';
import type { Action } from '../../use-action.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

interface DecisionFormProps {
  /** Label of the button that grants. */
  grant: string;
  action: Action<['grant' | 'deny']>;
  /** Why it cannot be granted yet. */
  missing: string | undefined;
  hint: string;
  children: ComponentChildren;
}

/** The request, and two buttons of one size. */
export function DecisionForm({ grant, action, missing, hint, children }: DecisionFormProps) {
  const { run, isBusy, problem } = action;
  return (
    <Form
      class="sheet"
      problem={problem.value}
      send={() => {
        if (!missing) void run('grant');
      }}
    >
      {children}
      <FormProblem />
      {missing && <p class="muted">{missing}</p>}
      <div class="decision">
        <button class="primary" disabled={isBusy.value || missing !== undefined}>
          {grant}
        </button>
        <button type="button" disabled={isBusy.value} onClick={() => void run('deny')}>
          Deny
        </button>
      </div>
      <p class="hint">{hint}</p>
    </Form>
  );
}
