import type { Signal } from '@preact/signals';
import { remoteScopeNames } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { Field } from './form/field.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { WorldChecks } from './world-picker.tsx';

/** Permissions of a paired browser on other worlds. */
export interface BrowserTerms {
  ipAllowlist: string;
  allowedTargetClients: string[];
  remoteScopes: Scope[];
}

export const noTerms: BrowserTerms = { ipAllowlist: '', allowedTargetClients: [], remoteScopes: [] };

interface BrowserTermsProps {
  terms: Signal<BrowserTerms>;
  /** The browser's own world, which is no "other" one. */
  clientId?: string | undefined;
  /** What there is to tick. */
  offered?: readonly Scope[];
}

export function BrowserTermsFields({ terms, clientId, offered = remoteScopeNames }: BrowserTermsProps) {
  const { ipAllowlist, allowedTargetClients, remoteScopes } = terms.value;
  const change = (changes: Partial<BrowserTerms>) => (terms.value = { ...terms.value, ...changes });
  return (
    <>
      <Field
        label="Addresses it may connect from"
        name="ipAllowlist"
        hint="IP addresses and ranges, separated by commas, for example 203.0.113.7, 10.0.0.0/8. Empty: from anywhere."
      >
        {(attributes) => (
          <input
            {...attributes}
            spellcheck={false}
            value={ipAllowlist}
            onInput={(event) => change({ ipAllowlist: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset>
        <legend>Other worlds that its module may act on</legend>
        <p class="hint">
          The module in this browser may then ask these worlds for what you tick below, without asking you
          again. Untick to take it back: what is under way ends within a second.
        </p>
        <WorldChecks
          chosen={allowedTargetClients}
          onChange={(chosen) => change({ allowedTargetClients: chosen })}
          {...(clientId === undefined ? {} : { without: clientId })}
        />
      </fieldset>
      {allowedTargetClients.length > 0 && (
        <ScopePicker
          legend="What it may do there"
          offered={offered}
          chosen={remoteScopes}
          onChange={(chosen) => change({ remoteScopes: chosen })}
        />
      )}
    </>
  );
}
