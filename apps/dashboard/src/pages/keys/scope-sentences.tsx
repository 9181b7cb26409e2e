import { scopeNames } from '@tabletop-relay/contract';
import { dangerOf, titleOf } from '../../parts/scope-picker.tsx';

const shown = 3;

/** What a key may do, in sentences; the dangerous first, the rest on demand. */
export function ScopeSentences({ scopes }: { scopes: readonly string[] }) {
  if (scopes.length === scopeNames.length) {
    return (
      <p>
        Everything that a key can do <DangerMark why="It can change and delete in your worlds." />
      </p>
    );
  }
  const ordered = scopes.toSorted((one, other) => Number(!dangerOf(one)) - Number(!dangerOf(other)));
  const rest = ordered.slice(shown);
  return (
    <div class="sentences">
      <ul>{ordered.slice(0, shown).map(sentence)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>and {rest.length} more</summary>
          <ul>{rest.map(sentence)}</ul>
        </details>
      )}
    </div>
  );
}

const sentence = (scope: string) => {
  const why = dangerOf(scope);
  return (
    <li key={scope}>
      {titleOf(scope)} {why && <DangerMark why={why} />}
    </li>
  );
};

function DangerMark({ why }: { why: string }) {
  return (
    <span class="mark-danger" title={why}>
      Careful<span class="visually-hidden">: {why}</span>
    </span>
  );
}
