import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../parts/announcer.tsx';
import { askToLeave } from '../../leave-guard.ts';
import { account } from '../../request.ts';
import { isOurs, navigate } from '../../router.ts';
import { isIn, keys, learnWhoIsIn, worlds } from '../../store.ts';
import { findTargets } from './find-targets.ts';
import type { Target } from './find-targets.ts';
import { allTargets, indexed } from './targets.ts';

/** A field, and what it finds: pages, worlds, keys with what can be done about them, calls, guides and errors. */
export function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const query = useSignal('');
  const chosen = useSignal(0);
  useEffect(() => {
    dialog.current?.showModal();
    if (account.peek() === undefined && isIn.peek()) void learnWhoIsIn();
    for (const resource of isIn.peek() ? [worlds, keys, indexed] : [indexed])
      if (!resource.data.peek()) void resource.reload();
  }, []);
  const found = findTargets(allTargets(), query.value);
  const go = (target: Target | undefined) => {
    if (!target) return;
    close();
    const { run, href } = target;
    askToLeave(() => {
      if (run) void run().catch(() => announce(`${target.title} did not work. Try again.`));
      else if (isOurs(href)) navigate(href);
      else location.assign(href);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(found[chosen.value]);
    else if (!step || found.length === 0) return;
    else chosen.value = (chosen.value + step + found.length) % found.length;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length > 0 ? `palette-${chosen.value}` : undefined}
        aria-autocomplete="list"
        placeholder="Page, world, key, action, call, guide"
        autoComplete="off"
        spellcheck={false}
        value={query.value}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          chosen.value = 0;
        }}
      />
      <Found found={found} chosen={chosen.value} go={go} />
    </dialog>
  );
}

interface FoundProps {
  found: readonly Target[];
  chosen: number;
  go: (target: Target) => void;
}

function Found({ found, chosen, go }: FoundProps) {
  useEffect(
    () => document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: 'nearest' }),
    [chosen],
  );
  return (
    <>
      <ul role="listbox" id="palette-found" aria-label="Found">
        {found.map((target, index) => (
          <li
            role="option"
            id={`palette-${index}`}
            key={target.href}
            aria-selected={index === chosen}
            onClick={() => go(target)}
          >
            <span>{target.title}</span> <small>{target.kind}</small>
          </li>
        ))}
      </ul>
      <p role="status">{found.length === 0 && nothingFound()}</p>
    </>
  );
}

/** Why nothing is found, as far as the index of the docs is known. */
function nothingFound(): string {
  if (indexed.data.value) return 'Nothing has any of these words.';
  return indexed.problem.value ? 'The docs cannot be searched now. Close this and try again.' : 'Looking…';
}
