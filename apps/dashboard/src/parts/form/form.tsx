import { useSignal } from '@preact/signals';
import type { RelayError } from '@tabletop-relay/sdk';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import { ProblemNotice } from '../problem.tsx';
import { faultsOf } from './faults.ts';
import { FormContext } from './form-context.ts';

interface FormProps {
  class?: string;
  /** Refusal of the last submit. */
  problem: RelayError | undefined;
  send: (form: HTMLFormElement) => void;
  children: ComponentChildren;
}

/**
 * A form that says at each field, in words of ours, what is wrong with it: before sending what the page can see, afterwards what the
 * relay found. The first such field takes the focus.
 */
export function Form({ class: className, problem, send, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const faults = useSignal<Readonly<Record<string, string>>>({});
  const changed = useSignal<ReadonlySet<string>>(new Set());
  const names = useMemo(() => new Set<string>(), []);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem, faults.value]);
  return (
    <FormContext.Provider value={{ problem, faults, changed, names }}>
      <form
        ref={form}
        class={className}
        noValidate
        onInput={({ target }) => {
          const { id } = target as HTMLElement;
          if (!changed.peek().has(id)) changed.value = new Set([...changed.peek(), id]);
          if (id in faults.peek()) faults.value = without(faults.peek(), id);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          faults.value = faultsOf(event.currentTarget);
          if (Object.keys(faults.peek()).length > 0) return;
          changed.value = new Set();
          send(event.currentTarget);
        }}
      >
        {children}
      </form>
    </FormContext.Provider>
  );
}

const without = (faults: Readonly<Record<string, string>>, id: string) =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => name !== id));

/** Problem of the form as a whole, without faults of single fields. Place it after the fields. */
export function FormProblem({ mayRepeat = false }: { mayRepeat?: boolean }) {
  const form = useContext(FormContext);
  return <ProblemNotice problem={form?.problem} saidAt={form?.names} mayRepeat={mayRepeat} />;
}
