import { now } from '../store.ts';
import { elapsed, exactTime, relativeTime } from '../words/relative-time.ts';

/** A date as people say it, with the exact time on hover: "3 minutes ago" or, `lasting`, "3 minutes". */
export function Ago({ at, lasting = false }: { at: string; lasting?: boolean }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(time)}>
      {lasting ? elapsed(time, now.value) : relativeTime(time, now.value)}
    </time>
  );
}
