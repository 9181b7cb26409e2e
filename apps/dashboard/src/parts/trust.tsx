import type { Signal } from '@preact/signals';
import { wordsOf } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { titleOf } from './scope-picker.tsx';

/** Those that reach beyond the tabletop's own rules: giving them is asked for again. */
export const farReaching = (scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => wordsOf(scope).audited);

interface TrustProps {
  /** Receiver of the permissions. */
  name: string;
  /** Where they act. */
  where: string;
  scopes: readonly Scope[];
  isSure: Signal<boolean>;
}

/** Asks again for what reaches beyond the tabletop's own rules. */
export function Trust({ name, where, scopes, isSure }: TrustProps) {
  return (
    <fieldset class="scopes">
      <legend>Are you sure?</legend>
      <label class="scope">
        <input
          type="checkbox"
          checked={isSure.value}
          onChange={(event) => (isSure.value = event.currentTarget.checked)}
        />
        <span>
          I trust {name} to do this in {where}: {scopes.map(titleOf).join('; ').toLowerCase()}
          <small class="danger">Each use will be in your logs.</small>
        </span>
      </label>
    </fieldset>
  );
}
