import { useSignal } from '@preact/signals';
import type { ConnectionToken, Scope } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { BrowserTermsFields } from '../../parts/browser-terms.tsx';
import type { BrowserTerms } from '../../parts/browser-terms.tsx';
import { NameField } from '../../parts/form/name-field.tsx';
import { api } from '../../request.ts';
import { browsers } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { Form, FormProblem } from '../../parts/form/form.tsx';

export function EditBrowser({ browser, done }: { browser: ConnectionToken; done: () => void }) {
  const name = useSignal(browser.name);
  const terms = useSignal<BrowserTerms>({
    ipAllowlist: browser.ipAllowlist,
    allowedTargetClients: browser.allowedTargetClients,
    remoteScopes: browser.remoteScopes as Scope[],
  });
  const { run, isBusy, problem } = useAction(async () => {
    await api.updateConnectionToken({ id: browser.id, name: name.value, ...terms.value });
    await browsers.reload();
    announce('Browser saved.');
    done();
  });
  return (
    <Form class="edit" problem={problem.value} send={() => void run()}>
      <NameField value={name} />
      <BrowserTermsFields terms={terms} clientId={browser.clientId} />
      <FormProblem />
      <div class="buttons">
        <button class="primary" disabled={isBusy.value}>
          Save browser
        </button>
        <button type="button" onClick={done}>
          Cancel
        </button>
      </div>
    </Form>
  );
}
