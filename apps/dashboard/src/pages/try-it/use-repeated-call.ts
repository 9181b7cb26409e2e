import { useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../request.ts';
import { startForm } from './form/call-form.ts';
import type { CallForm } from './form/call-form.ts';

/** Fills the form with the parameters of a call of the log; answers what its reader must know of them. */
export function useRepeatedCall(
  id: string | null,
  form: Signal<CallForm>,
): ReadonlySignal<string | undefined> {
  const notice = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!id) return;
    api.getCall({ id }).then(
      ({ request }) => {
        const parameters = parse(request?.text);
        if (parameters) form.value = startForm(form.peek().operation, parameters);
        if (!parameters) notice.value = 'The request of this call was not kept, so the form has an example.';
        else if (request?.lacks) notice.value = `Left out, to be filled in again: ${request.lacks}.`;
      },
      () => (notice.value = 'This call can’t be read any more, so the form has an example.'),
    );
  }, [id]);
  return notice;
}

/** Undefined for what was not kept, or was cut. */
function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return text ? (JSON.parse(text) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
