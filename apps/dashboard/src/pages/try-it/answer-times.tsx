import { useSignal } from '@preact/signals';
import type { CallRecord } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { api } from '../../request.ts';
import { inMs } from '../../words/times.ts';

/** Calls are written to the log twice a second. */
const restMs = 600;
const tries = 5;
/** The newest of the account, among which the call is. */
const newest = 20;

/** How long an answer took, and where: as soon as the log of calls says so. */
export function AnswerTimes({ requestId, tookMs }: { requestId: string; tookMs: number }) {
  const logged = useSignal<Pick<CallRecord, 'relayMs' | 'worldMs'> | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (left: number) => {
      const page = await api.listCalls({ limit: newest }).catch(() => undefined);
      logged.value = page?.items.find((call) => call.requestId === requestId);
      if (!logged.value && left > 1) timer = setTimeout(() => void look(left - 1), restMs);
    };
    if (requestId) timer = setTimeout(() => void look(tries), restMs);
    return () => clearTimeout(timer);
  }, [requestId]);
  if (!logged.value) return <>{inMs(tookMs)}</>;
  const { relayMs, worldMs } = logged.value;
  const network = Math.max(0, tookMs - relayMs - (worldMs ?? 0));
  return (
    <>
      {inMs(tookMs)}: relay {inMs(relayMs)}, {worldMs === null ? 'world not asked' : `world ${inMs(worldMs)}`}
      , network {inMs(network)}
    </>
  );
}
