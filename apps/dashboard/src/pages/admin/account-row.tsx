import { useSignal } from '@preact/signals';
import type { AdminAccount } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { account as me, api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { keyCount } from '../../words/counts.ts';
import { AccountSessions } from './account-sessions.tsx';

interface AccountRowProps {
  account: AdminAccount;
  changed: (account: AdminAccount) => void;
}

export function AccountRow({ account, changed }: AccountRowProps) {
  const { id, email, createdAt, clients, apiKeys } = account;
  const showsSessions = useSignal(false);
  const isSelf = id === me.value?.id;
  return (
    <li>
      <div class="row">
        <div class="grow">
          <p class="with-state">
            <strong>{email}</strong> <Marks account={account} />
          </p>
          <p class="muted">
            {isSelf && 'You. '}Opened <Ago at={createdAt} />,{' '}
            {clients === 1 ? '1 world' : `${clients} worlds`}, {keyCount(apiKeys)}
          </p>
        </div>
        <div class="buttons">
          <button
            type="button"
            aria-label={`Sessions of ${email}`}
            aria-expanded={showsSessions.value}
            onClick={() => (showsSessions.value = !showsSessions.value)}
          >
            Sessions
          </button>
          {!account.rotationRequired && <Rotation account={account} changed={changed} />}
          {account.disabled ? (
            <Enable account={account} changed={changed} />
          ) : (
            !isSelf && <Disable account={account} changed={changed} />
          )}
        </div>
      </div>
      {showsSessions.value && <AccountSessions account={account} />}
    </li>
  );
}

function Marks({
  account: { isAdministrator, hasSecondFactor, rotationRequired, disabled },
}: {
  account: AdminAccount;
}) {
  return (
    <>
      {disabled && <State tone="bad" word="Disabled" />}{' '}
      {rotationRequired && <State tone="warn" word="Must rotate" />}
      <span class="muted">
        {[isAdministrator && 'administrator', hasSecondFactor && 'second factor'].filter(Boolean).join(', ')}
      </span>
    </>
  );
}

function Rotation({ account: { id, email }, changed }: AccountRowProps) {
  const force = async () => {
    changed(await api.forceRotation({ id }));
    announce(`${email} must regenerate its master key.`);
  };
  return (
    <ConfirmButton label="Force rotation" title={`Force rotation of ${email}?`} action={force} quiet>
      <p>
        Its keys are refused and its worlds disconnected until its owner regenerates the master key, which
        deletes all its keys and unpairs all its browsers. Only the owner ends this.
      </p>
    </ConfirmButton>
  );
}

function Disable({ account: { id, email }, changed }: AccountRowProps) {
  const disable = async () => {
    changed(await api.disableAccount({ id }));
    announce(`${email} is disabled.`);
  };
  return (
    <ConfirmButton label="Disable" title={`Disable ${email}?`} action={disable} quiet>
      <p>
        Its keys are refused, its worlds disconnected and its sessions ended, within a second. Enabling it
        brings keys and worlds back; its people sign in anew.
      </p>
    </ConfirmButton>
  );
}

function Enable({ account: { id, email }, changed }: AccountRowProps) {
  const { run, isBusy, problem } = useAction(async () => {
    changed(await api.enableAccount({ id }));
    announce(`${email} is enabled.`);
  });
  return (
    <>
      <button type="button" aria-label={`Enable ${email}`} disabled={isBusy.value} onClick={() => void run()}>
        Enable
      </button>
      <ProblemNotice problem={problem.value} />
    </>
  );
}
