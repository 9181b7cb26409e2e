import { useSignal } from '@preact/signals';
import { scopeNames } from '@tabletop-relay/contract';
import { dangerOf, titleOf } from '../../parts/scope-picker.tsx';

const shown = 4;

/** What a key may do, as chips; the dangerous first, the rest on demand. */
export function ScopeChips({ scopes }: { scopes: readonly string[] }) {
  const isWhole = useSignal(false);
  if (scopes.length === scopeNames.length)
    return <ul class="chips">{chip('everything', 'Everything that a key can do', true)}</ul>;
  const ordered = scopes.toSorted((one, other) => Number(!dangerOf(one)) - Number(!dangerOf(other)));
  const visible = isWhole.value ? ordered : ordered.slice(0, shown);
  const rest = ordered.length - visible.length;
  return (
    <div class="chip-list">
      <ul class="chips">
        {visible.map((scope) => chip(scope, titleOf(scope), dangerOf(scope) !== undefined))}
      </ul>
      {(rest > 0 || isWhole.value) && ordered.length > shown && (
        <button
          type="button"
          class="quiet more-chips"
          aria-expanded={isWhole.value}
          onClick={() => (isWhole.value = !isWhole.value)}
        >
          {isWhole.value ? 'Fewer' : `${rest} more`}
        </button>
      )}
    </div>
  );
}

const chip = (scope: string, title: string, isDangerous: boolean) => (
  <li key={scope} class={isDangerous ? 'chip careful' : 'chip'} title={title}>
    {isDangerous && <span class="visually-hidden">Careful: </span>}
    {scope}
  </li>
);
