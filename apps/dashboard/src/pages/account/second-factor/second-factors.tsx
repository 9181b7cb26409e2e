import type { SecondFactors as Known } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { secondFactors } from '../../../store.ts';
import { FactorRow } from './factor-row.tsx';
import { RecoveryCodesRow } from './recovery-codes-row.tsx';
import { SetUpLinks } from './set-up-links.tsx';

/** The part of the account page about what is asked for beside the password. */
export function SecondFactors() {
  useEffect(() => void secondFactors.reload(), []);
  const known = secondFactors.data.value;
  return (
    <section id="second-factor">
      <h2>Second factor</h2>
      <ProblemNotice problem={secondFactors.problem.value} />
      {known && (known.items.length > 0 ? <List known={known} /> : <None />)}
      {!known && !secondFactors.problem.value && <div class="loading-part" aria-busy="true" />}
    </section>
  );
}

function None() {
  return (
    <div class="sheet">
      <p>
        <State tone="off" word="Off" />
      </p>
      <p>
        Besides your password, this relay can ask for something that only you have: a code from an app on your
        phone, or a passkey. Then your password alone opens nothing.
      </p>
      <SetUpLinks />
    </div>
  );
}

function List({ known }: { known: Known }) {
  return (
    <div class="sheet">
      <p class="with-state">
        <State tone="good" word="On" />{' '}
        <span class="muted">It is asked for after your password. Any one of these is enough.</span>
      </p>
      <ul class="rows">
        {known.items.map((factor) => (
          <FactorRow key={factor.id} factor={factor} known={known} />
        ))}
        <RecoveryCodesRow left={known.recoveryCodesLeft} />
      </ul>
      <SetUpLinks />
    </div>
  );
}
