import type { KnownClient, Overview } from '@tabletop-relay/contract';
import { now } from '../../store.ts';

type Span = Overview['worlds'][number]['online'][number];

/** When a world was connected, as a strip over the hours and in words. */
export function OnlineStrip({
  world,
  spans,
  hours,
}: {
  world: KnownClient;
  spans: readonly Span[];
  hours: readonly string[];
}) {
  const from = Date.parse(hours[0] ?? '');
  const until = Math.max(now.value, from + 1);
  const shown = onlineTimes({ world, spans, from, until });
  const total = shown.reduce((sum, [start, end]) => sum + (end - start), 0);
  const share = (ms: number) => ((ms - from) / (until - from)) * 1_000;
  const words = `Online ${inHours(total)} of ${inHours(until - from)}`;
  return (
    <div class="strip">
      <svg viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="strip-off" x="0" y="0" width="1000" height="8" />
        {shown.map(([start, end]) => (
          <rect
            class="strip-on"
            key={start}
            x={share(start)}
            y="0"
            width={Math.max(2, share(end) - share(start))}
            height="8"
          />
        ))}
      </svg>
      <span class="muted number">{words}</span>
    </div>
  );
}

/**
 * The connection log's spans, and what is known of the connection that stands: an instance that died wrote no end of one, and the
 * connection may be older than the hours that are shown.
 */
export function onlineTimes({
  world: { isOnline, connectedSince, lastSeenAt },
  spans,
  from,
  until,
}: {
  world: Pick<KnownClient, 'isOnline' | 'connectedSince' | 'lastSeenAt'>;
  spans: readonly Span[];
  from: number;
  until: number;
}): [start: number, end: number][] {
  const times = spans.map(({ from: start, to }): [number, number] => {
    const end = to === null ? (isOnline ? until : Date.parse(lastSeenAt ?? start)) : Date.parse(to);
    return [Math.max(from, Date.parse(start)), Math.min(until, Math.max(end, Date.parse(start)))];
  });
  if (isOnline && connectedSince) times.push([Math.max(from, Date.parse(connectedSince)), until]);
  const merged: [number, number][] = [];
  for (const [start, end] of times.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function inHours(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return [hours > 0 ? `${hours} h` : '', minutes % 60 > 0 || hours === 0 ? `${minutes % 60} min` : '']
    .filter(Boolean)
    .join(' ');
}
