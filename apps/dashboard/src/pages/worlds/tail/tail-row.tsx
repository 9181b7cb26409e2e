import { streamEvents } from '@tabletop-relay/contract';
import type { TailEntry } from './entries.ts';

/** One event: its name and the beginning of its data, and all of it when it is opened. */
export function TailRow({ entry: { channel, event, at, line, text } }: { entry: TailEntry }) {
  const when = new Date(at);
  const isRelays = Object.hasOwn(streamEvents, event);
  return (
    <li>
      <details>
        <summary>
          <time dateTime={when.toISOString()} title={when.toLocaleString('en')}>
            {when.toLocaleTimeString('en', { hour12: false })}
          </time>
          <span class="muted">{channel}</span>
          <strong class={`mono ${isRelays ? 'muted' : ''}`}>{event}</strong>
          <span class="tail-text muted mono" aria-hidden="true">
            {line}
          </span>
        </summary>
        <pre class="json" tabIndex={0}>
          <code>{text}</code>
        </pre>
      </details>
    </li>
  );
}
