import { useMemo } from 'preact/hooks';
import { Ago } from '../../../parts/ago.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { api } from '../../../request.ts';
import { createResource } from '../../../resource.ts';
import { useReload } from '../../../use-reload.ts';
import { callCount } from '../../../words/counts.ts';

const restMs = 5_000;

/** From where and with which programs a key was called. */
export function KeyCallers({ keyId }: { keyId: string }) {
  const last = useMemo(() => createResource(() => api.listCallers({ key: keyId })), [keyId]);
  useReload(last, restMs);
  const { data, problem } = last;
  const callers = data.value?.items;
  if (!problem.value && !callers?.length) return null;
  return (
    <section>
      <h2>Called from</h2>
      <ProblemNotice problem={problem.value} />
      <ul class="rows">
        {callers?.map(({ ipAddress, userAgent, oldValue, calls, lastAt }) => (
          <li class="row" key={`${ipAddress} ${userAgent} ${oldValue}`}>
            <div class="grow">
              <p>
                <strong>{userAgent || 'A program without a name'}</strong> from{' '}
                {ipAddress || 'an unknown address'} {oldValue && <State tone="warn" word="Old value" />}
              </p>
              <p class="muted">
                {callCount(calls)}, the last <Ago at={lastAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
