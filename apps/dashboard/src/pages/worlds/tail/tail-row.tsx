import { streamEvents } from '@tabletop-relay/contract';
import type { TailEntry } from './entries.ts';

/** One event: when it was, what happened, its name, and all of it when it is opened. Raw, its data take the place of the words. */
export function TailRow({ entry, isRaw }: { entry: TailEntry; isRaw: boolean }) {
  const { channel, event, at, words, line, text } = entry;
  const when = new Date(at);
  const isRelays = Object.hasOwn(streamEvents, event);
  const said = isRaw ? undefined : words;
  return (
    <li>
      <details>
        <summary>
          <time dateTime={when.toISOString()} title={when.toLocaleString('en')}>
            {when.toLocaleTimeString('en', { hour12: false })}
          </time>
          {said !== undefined && <span class={`tail-words ${isRelays ? 'muted' : ''}`}>{said}</span>}
          {said === undefined && (
            <span class="tail-text muted mono" aria-hidden="true">
              {line}
            </span>
          )}
          <strong class="mono muted" title={`Of the channel ${channel}`}>
            {event}
          </strong>
        </summary>
        <pre class="json" tabIndex={0}>
          <code>{text}</code>
        </pre>
      </details>
    </li>
  );
}
