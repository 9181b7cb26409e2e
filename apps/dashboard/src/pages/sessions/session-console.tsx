import { useSignal } from '@preact/signals';
import type { ConsoleLine } from '@tabletop-relay/contract';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

/** The console of a session's page, read when it is opened. */
export function SessionConsole({ id, name, isLive }: { id: string; name: string; isLive: boolean }) {
  const lines = useSignal<ConsoleLine[] | undefined>(undefined);
  const { run, isBusy, problem } = useAction(async () => {
    lines.value = (await api.getHeadlessConsole({ id })).lines;
  });
  return (
    <details
      class="session-view"
      onToggle={(event) => {
        if (event.currentTarget.open) void run();
      }}
    >
      <summary>Console of the page</summary>
      <ProblemNotice problem={problem.value} />
      {lines.value?.length === 0 && <p class="muted">Nothing was written to it.</p>}
      {lines.value && lines.value.length > 0 && (
        // It scrolls by itself, so that keyboards must reach it.
        <pre tabIndex={0} role="log" aria-live="off" aria-label={`Console of ${name}`}>
          {lines.value.map(asText).join('\n')}
        </pre>
      )}
      {isLive && lines.value && (
        <button type="button" class="copy" disabled={isBusy.value} onClick={() => void run()}>
          Read again
        </button>
      )}
    </details>
  );
}

const asText = ({ at, level, text }: ConsoleLine): string =>
  `${new Date(at).toLocaleTimeString('en', { hour12: false })} ${level.padEnd(5)} ${text}`;
