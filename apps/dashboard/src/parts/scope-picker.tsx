import { scopeNames, scopes } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';

export const dangerOf = (scope: string): string | undefined =>
  (scopes as Record<string, { title: string; dangerous?: string }>)[scope]?.dangerous;

export const titleOf = (scope: string): string =>
  (scopes as Record<string, { title: string }>)[scope]?.title ?? scope;

interface ScopePickerProps {
  legend: string;
  /** Which are offered; all by default. */
  offered?: readonly Scope[];
  chosen: readonly Scope[];
  onChange: (chosen: Scope[]) => void;
}

/** Permissions as sentences to tick. */
export function ScopePicker({ legend, offered = scopeNames, chosen, onChange }: ScopePickerProps) {
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(offered.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset class="scopes">
      <legend>{legend}</legend>
      {offered.map((scope) => (
        <label class="scope" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={(event) => toggle(scope, event.currentTarget.checked)}
          />
          <span>
            {titleOf(scope)} <code>{scope}</code>
            <Danger scope={scope} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Why a permission deserves a second look. */
function Danger({ scope }: { scope: string }) {
  const why = dangerOf(scope);
  return why ? (
    <small class="danger">
      <strong>Careful:</strong> {why}
    </small>
  ) : null;
}
