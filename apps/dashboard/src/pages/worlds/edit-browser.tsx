import { useSignal } from '@preact/signals';
import { remoteScopeNames } from '@tabletop-relay/contract';
import type { ConnectionToken, Scope } from '@tabletop-relay/contract';
import { ActingUserFields, missingUser, scopesFor, usersIn } from '../../parts/acting-users.tsx';
import type { ActingUsers } from '../../parts/acting-users.tsx';
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
  const users = useSignal<ActingUsers>(browser.actingUserIds);
  const { allowedTargetClients, remoteScopes } = terms.value;
  const missing = missingUser(users.value, allowedTargetClients);
  const { run, isBusy, problem } = useAction(async () => {
    const isBound = users.value !== null && allowedTargetClients.length > 0;
    await api.updateConnectionToken({
      id: browser.id,
      name: name.value,
      ...terms.value,
      remoteScopes: scopesFor(users.value, remoteScopes),
      actingUserIds: isBound ? usersIn(users.value, allowedTargetClients) : null,
    });
    await browsers.reload();
    announce('Browser saved.');
    done();
  });
  return (
    <Form
      class="edit"
      problem={problem.value}
      send={() => {
        if (!missing) void run();
      }}
    >
      <NameField value={name} />
      <BrowserTermsFields
        terms={terms}
        clientId={browser.clientId}
        offered={scopesFor(users.value, remoteScopeNames)}
      />
      {allowedTargetClients.length > 0 && (
        <ActingUserFields
          clientIds={allowedTargetClients}
          users={users.value}
          onChange={(next) => (users.value = next)}
        />
      )}
      <FormProblem />
      <div class="buttons">
        <button class="primary" disabled={isBusy.value || missing !== undefined}>
          Save browser
        </button>
        <button type="button" onClick={done}>
          Cancel
        </button>
        {missing && <span class="muted">{missing}</span>}
      </div>
    </Form>
  );
}
