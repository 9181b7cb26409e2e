import type { Overview } from '@tabletop-relay/contract';
import { isPageKey } from '../../page-keys.ts';
import { KeyLink } from '../../parts/key-link.tsx';
import { Spark } from '../../parts/plot/spark.tsx';
import { findKey } from '../../store.ts';
import { callCount } from '../../words/counts.ts';
import { monthWords } from '../keys/usage.tsx';
import { sum } from './sums.ts';

type KeyFigures = Overview['keys'][number];

export const callsByHour = ({ ok, refused, failed }: KeyFigures): number[] =>
  ok.map((calls, index) => calls + (refused[index] ?? 0) + (failed[index] ?? 0));

/** Share of each key in all calls, and how much of its monthly limit is used. */
export function KeyShares({ overview }: { overview: Overview }) {
  const rows = overview.keys.map((figures) => ({ figures, calls: callsByHour(figures) }));
  const total = sum(rows.flatMap(({ calls }) => calls));
  if (total === 0) return null;
  const own = rows.filter(({ figures }) => !isOfPages(figures.keyId));
  const ofPages = total - sum(own.flatMap(({ calls }) => calls));
  return (
    <section>
      <div class="section-head">
        <h2>Keys</h2>
        <a href="/dashboard/keys">All keys</a>
      </div>
      {own.length > 0 && (
        <ul class="rows">
          {own.map(({ figures: { keyId }, calls }) => (
            <KeyShare key={keyId} keyId={keyId} calls={calls} share={sum(calls) / total} />
          ))}
        </ul>
      )}
      {ofPages > 0 && (
        <p class="muted below">{callCount(ofPages)} with keys that these pages made for themselves.</p>
      )}
    </section>
  );
}

function isOfPages(keyId: string): boolean {
  const known = findKey(keyId);
  return known !== undefined && isPageKey(known);
}

function KeyShare({ keyId, calls, share }: { keyId: string; calls: readonly number[]; share: number }) {
  const known = findKey(keyId);
  const percent = `${Math.max(1, Math.round(share * 100))} %`;
  return (
    <li class="key-share">
      <span class="name">
        <KeyLink id={keyId} name="A key that is gone" />
      </span>
      <Spark values={calls} words={`${callCount(sum(calls))} in this time`} />
      <span class="usage">
        <progress max={1} value={share} aria-label="Part of all calls" />
        <span class="number">
          <a href={`/dashboard/activity?show=calls&key=${keyId}`}>{callCount(sum(calls))}</a>, {percent}
        </span>
      </span>
      <span class="muted number">{known && monthWords(known)}</span>
    </li>
  );
}
