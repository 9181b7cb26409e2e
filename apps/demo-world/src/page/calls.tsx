import type { CallRecord } from '../world/call-record.ts';
import type { WorldState } from '../world/state.ts';
import { useTable } from './table.ts';

const outcomes = {
  running: { sign: '…', tone: 'warn' },
  answered: { sign: '✓', tone: 'good' },
  refused: { sign: '✕', tone: 'bad' },
} as const;

/** The strip along the bottom. It shows each call from the relay as it arrives, the newest first. */
export function Calls() {
  const { state } = useTable();
  const { calls } = state.value;
  return (
    <section class="calls" aria-labelledby="calls-title">
      <h2 id="calls-title">Calls</h2>
      {/* Scrolled by keyboard too, so it takes the focus. */}
      <div class="call-log" role="log" aria-live="polite" aria-label="Calls from the relay" tabIndex={0}>
        {calls.length === 0 && (
          <p class="empty">
            None yet. A call such as <code>POST /sys5e/skill-check</code> appears here the moment it arrives.
          </p>
        )}
        <ol>
          {calls.toReversed().map((call) => (
            <Call key={`${call.requestId},${call.at}`} call={call} who={whoOf(state.value, call)} />
          ))}
        </ol>
      </div>
    </section>
  );
}

function Call({ call, who }: { call: CallRecord; who: string }) {
  const { sign, tone } = outcomes[call.outcome];
  return (
    <li class={`call is-${call.outcome}`} title={`${new Date(call.at).toLocaleString()}, ${call.requestId}`}>
      <p>
        <span class={`sign tone-${tone}`} aria-hidden="true">
          {sign}
        </span>
        <code>{call.operation}</code>
      </p>
      <p class="facts">
        {who}
        {call.tookMs !== undefined && <> · {durationOf(call.tookMs)}</>} · {call.error ?? call.outcome}
      </p>
    </li>
  );
}

/** Which program, and as whom: a call without a user has a game master's access. */
function whoOf(state: WorldState, { userId, program }: CallRecord): string {
  const user = userId ? (state.users.find(({ id }) => id === userId)?.name ?? userId) : 'GM';
  return program ? `${program}, as ${user}` : `as ${user}`;
}

function durationOf(ms: number): string {
  if (ms < 1) return '< 1 ms';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
