import type { Signal } from '@preact/signals';
import type { ApiKey, Scope } from '@tabletop-relay/contract';
import { useSignal } from '@preact/signals';
import { ActingUserFields, missingUser, scopesFor, usersIn } from '../../parts/acting-users.tsx';
import type { ActingUsers } from '../../parts/acting-users.tsx';
import { Field } from '../../parts/form/field.tsx';
import { WorldPicker } from '../../parts/world-picker.tsx';
import { exactTime } from '../../words/relative-time.ts';

/** Terms of a key as the form holds them: permissions, worlds, limits, expiry. */
export interface KeyTerms {
  scopes: Scope[];
  clientIds: string[] | null;
  actingUserIds: ActingUsers;
  /** As typed; empty: no limit. */
  monthlyLimit: string;
  expiresAt: string | null;
}

export const termsOf = (
  key: Pick<ApiKey, 'scopes' | 'clientIds' | 'actingUserIds' | 'monthlyLimit' | 'expiresAt'>,
): KeyTerms => ({
  scopes: key.scopes as Scope[],
  clientIds: key.clientIds,
  actingUserIds: key.actingUserIds,
  monthlyLimit: key.monthlyLimit === null ? '' : String(key.monthlyLimit),
  expiresAt: key.expiresAt,
});

/** Terms of a key in the form that the API takes. */
export const bodyOf = ({ scopes, clientIds, actingUserIds, monthlyLimit, expiresAt }: KeyTerms) => ({
  scopes: scopesFor(actingUserIds, scopes),
  clientIds,
  actingUserIds: usersIn(actingUserIds, clientIds),
  monthlyLimit: monthlyLimit === '' ? null : Number(monthlyLimit),
  expiresAt,
});

/** Why the form can't be sent as it is. */
export function missingIn(terms: KeyTerms): string | undefined {
  const { scopes, clientIds, actingUserIds } = terms;
  if (scopesFor(actingUserIds, scopes).length === 0) return 'Tick what it may do: at least one.';
  if (clientIds?.length === 0) return 'Choose a world, or all of them.';
  return missingUser(actingUserIds, clientIds);
}

/** Worlds, users, limit and expiry: the same for making, changing and approving a key. */
export function KeyLimits({ terms }: { terms: Signal<KeyTerms> }) {
  const { clientIds, actingUserIds, monthlyLimit, expiresAt } = terms.value;
  const change = (changes: Partial<KeyTerms>) => (terms.value = { ...terms.value, ...changes });
  return (
    <>
      <WorldPicker
        legend="In which worlds"
        chosen={clientIds}
        onChange={(chosen) => change({ clientIds: chosen, ...(chosen === null && { actingUserIds: null }) })}
      />
      {clientIds !== null && clientIds.length > 0 && (
        <ActingUserFields
          clientIds={clientIds}
          users={actingUserIds}
          onChange={(users) => change({ actingUserIds: users })}
        />
      )}
      <div class="pair-of-fields">
        <Field
          label="Monthly limit"
          name="monthlyLimit"
          hint="Calls per calendar month (UTC). Empty: no limit."
        >
          {(attributes) => (
            <input
              {...attributes}
              type="number"
              inputMode="numeric"
              min={1}
              max={2_147_483_647}
              step={1}
              value={monthlyLimit}
              onInput={(event) => change({ monthlyLimit: event.currentTarget.value })}
            />
          )}
        </Field>
        <ExpiryField value={expiresAt} onChange={(next) => change({ expiresAt: next })} />
      </div>
    </>
  );
}

const day = 86_400_000;
const lives = [
  ['1 hour', day / 24],
  ['1 day', day],
  ['30 days', 30 * day],
  ['1 year', 365 * day],
] as const;

function ExpiryField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const given = useSignal(value);
  return (
    <Field
      label="Expires"
      name="expiresAt"
      hint={value ? exactTime(Date.parse(value)) : 'Works until you revoke it.'}
    >
      {(attributes) => (
        <select
          {...attributes}
          onChange={(event) => {
            const choice = event.currentTarget.value;
            if (choice === 'never') onChange(null);
            else if (choice === 'given') onChange(given.value);
            else onChange(new Date(Date.now() + Number(choice)).toISOString());
          }}
        >
          {given.value && <option value="given">As it is</option>}
          <option value="never">Never</option>
          {lives.map(([word, ms]) => (
            <option value={ms} key={word}>
              {word} from now
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
