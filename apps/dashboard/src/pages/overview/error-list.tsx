import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, Overview } from '@tabletop-relay/contract';
import { callCount } from '../../words/counts.ts';
import type { Span } from './span-choice.tsx';

/** Outcomes of failed calls, of all keys or of one. Each links to its calls. */
export function ErrorList({ overview, span, keyId }: { overview: Overview; span: Span; keyId?: string }) {
  if (overview.errors.length === 0) return null;
  const ofKey = keyId === undefined ? '' : `&key=${keyId}`;
  return (
    <ul class="rows">
      {overview.errors.map(({ code, calls }) => (
        <li class="row" key={code}>
          <span class="grow">
            {Object.hasOwn(errors, code) ? errors[code as ErrorCode].title : code}{' '}
            <code class="muted">{code}</code>
          </span>
          <a class="number" href={`/dashboard/activity?show=calls&outcome=${code}&time=${span}${ofKey}`}>
            {callCount(calls)}
          </a>
        </li>
      ))}
    </ul>
  );
}
