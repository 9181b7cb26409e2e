import { useSignal } from '@preact/signals';
import type { KnownClient, Problem } from '@tabletop-relay/contract';
import { RelayError } from '@tabletop-relay/sdk';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { createPageKeys } from '../../page-keys.ts';
import { useAction } from '../../use-action.ts';
import { inMs } from '../../words/times.ts';

const pingKeys = createPageKeys({ purpose: 'ping', scopes: () => ['world:read'] });

/** Asks the world something small, as a program would, and says how long that took from here and back. */
export function PingButton({ world: { clientId } }: { world: KnownClient }) {
  const took = useSignal('');
  const { run, isBusy, problem } = useAction(async () => {
    took.value = '';
    took.value = `It answered in ${inMs(await ping(clientId))}.`;
    announce(took.value);
  });
  return (
    <span class="ping">
      <button type="button" class="copy" disabled={isBusy.value} onClick={() => void run()}>
        Ping
      </button>{' '}
      <span class="muted number">{isBusy.value ? 'It is asked …' : took.value}</span>
      <ProblemNotice problem={problem.value} />
    </span>
  );
}

/** Milliseconds from the request to the whole answer. */
async function ping(clientId: string): Promise<number> {
  const apiKey = await pingKeys.make(clientId);
  const startedAt = performance.now();
  const response = await fetch(`/world-info?clientId=${encodeURIComponent(clientId)}`, {
    credentials: 'omit',
    headers: { 'x-api-key': apiKey },
  }).catch((cause: unknown) => {
    throw new RelayError({ code: 'connection_failed', detail: 'The call was not answered.', cause });
  });
  const body = (await response.json()) as unknown;
  if (response.ok) return performance.now() - startedAt;
  if (response.status === 401) pingKeys.drop(apiKey);
  const problem = body as Problem;
  throw new RelayError({ code: problem.code, detail: problem.detail, status: response.status, problem });
}
