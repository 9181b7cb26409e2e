import { useSignal } from '@preact/signals';
import type { SecondFactor, SecondFactors } from '@tabletop-relay/contract';
import { Ago } from '../../../parts/ago.tsx';
import { State } from '../../../parts/state.tsx';
import { RemoveFactor } from './remove-factor.tsx';
import { RenameFactor } from './rename-factor.tsx';

export function FactorRow({ factor, known }: { factor: SecondFactor; known: SecondFactors }) {
  const open = useSignal<'rename' | 'remove' | undefined>(undefined);
  const close = () => (open.value = undefined);
  const { kind, name } = factor;
  return (
    <li>
      <div class="row">
        <div class="grow">
          <p class="with-state">
            <strong>{name}</strong> {!factor.usable && <State tone="warn" word="Not at this address" />}
          </p>
          <Facts factor={factor} />
        </div>
        <div class="buttons">
          {kind === 'totp' ? (
            <a class="button" href="/dashboard/account/authenticator-app">
              Move to another phone
            </a>
          ) : (
            <button type="button" aria-label={`Rename ${name}`} onClick={() => (open.value = 'rename')}>
              Rename
            </button>
          )}
          <button
            type="button"
            class="bad"
            aria-label={`Remove ${name}`}
            onClick={() => (open.value = 'remove')}
          >
            Remove
          </button>
        </div>
      </div>
      {open.value === 'rename' && <RenameFactor factor={factor} done={close} />}
      {open.value === 'remove' && <RemoveFactor factor={factor} known={known} close={close} />}
    </li>
  );
}

function Facts({ factor: { kind, usable, createdAt, lastUsedAt } }: { factor: SecondFactor }) {
  return (
    <>
      <p class="muted">
        {kind === 'totp' ? 'Codes of six digits' : 'Passkey'}, set up <Ago at={createdAt} />,{' '}
        {lastUsedAt ? (
          <>
            last used <Ago at={lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </p>
      {!usable && <p class="muted">It was made for another address of this relay, and works only there.</p>}
    </>
  );
}
