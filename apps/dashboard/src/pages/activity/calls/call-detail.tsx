import { useSignal } from '@preact/signals';
import type { Call, CallRecord } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Id, Snippet } from '../../../parts/copy.tsx';
import { KeyLink } from '../../../parts/key-link.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { account, api } from '../../../request.ts';
import { findKey, findWorld, nameOf } from '../../../store.ts';
import { useAction } from '../../../use-action.ts';
import { inMs } from '../../../words/times.ts';
import { PauseKey } from '../../keys/pause-key.tsx';
import { RevokeKey } from '../../keys/revoke-key.tsx';
import { findOperation } from './call-words.ts';
import { Mend } from './mend.tsx';

/** A call that was opened: what it was, its request and answer where they were kept, and the way to repeat it. */
export function CallDetail({ call }: { call: CallRecord }) {
  const whole = useSignal<Call | undefined>(undefined);
  const { run, problem } = useAction(async () => void (whole.value = await api.getCall({ id: call.id })));
  useEffect(() => void run(), [call.id]);
  return (
    <div class="call-detail">
      <CallFacts call={call} />
      <Mend call={call} />
      <ProblemNotice problem={problem.value} />
      {whole.value && <Bodies call={whole.value} />}
      <div class="buttons">
        {findOperation(call.operation) && (
          <a class="button" href={repeatAddress(call)}>
            Repeat in Try it
          </a>
        )}
        <KeyActions call={call} />
      </div>
    </div>
  );
}

/** Actions on the key that made the call. */
function KeyActions({ call: { keyId } }: { call: CallRecord }) {
  const key = findKey(keyId);
  if (!key) return null;
  return (
    <>
      <PauseKey apiKey={key} what=" key" />
      <a class="button" href={`/dashboard/keys/${keyId}?do=roll`}>
        Roll key
      </a>
      <RevokeKey apiKey={key} label="Revoke key" />
    </>
  );
}

function repeatAddress({ id, clientId, operation }: CallRecord): string {
  const query = new URLSearchParams({ operation, call: id });
  if (clientId) query.set('world', clientId);
  return `/dashboard/try?${query.toString()}`;
}

/** Key, address and program of a call. */
function CallerFacts({ call }: { call: CallRecord }) {
  return (
    <>
      <dt>Key</dt>
      <dd>
        <KeyLink id={call.keyId} name={call.keyName} />
        {call.oldValue && (
          <>
            , by its <strong>old value</strong>
          </>
        )}
      </dd>
      {call.ipAddress && (
        <>
          <dt>From</dt>
          <dd>
            {call.ipAddress}
            {call.userAgent && `, ${call.userAgent}`}
          </dd>
        </>
      )}
      {call.via === 'socket' && (
        <>
          <dt>Way</dt>
          <dd>Over a caller’s socket</dd>
        </>
      )}
      {call.via === 'mcp' && (
        <>
          <dt>Assistant</dt>
          <dd>{call.assistant || 'Its program does not say its name.'}</dd>
        </>
      )}
    </>
  );
}

function CallFacts({ call }: { call: CallRecord }) {
  const operation = findOperation(call.operation);
  const world = call.clientId ? findWorld(call.clientId) : undefined;
  return (
    <dl>
      <dt>Operation</dt>
      <dd>
        <code>{operation ? `${operation.method} ${operation.path}` : call.operation}</code>
      </dd>
      <dt>Answer</dt>
      <dd>
        {call.status}{' '}
        {call.outcome !== 'ok' && (
          <a href={`/errors/${call.outcome}`} target="_blank">
            {call.outcome}
          </a>
        )}
      </dd>
      <dt>Time</dt>
      <dd class="number">
        {inMs(call.relayMs)} in the relay
        {call.worldMs === null ? ', the world was not asked' : `, ${inMs(call.worldMs)} in the world`}
      </dd>
      <CallerFacts call={call} />
      {call.clientId && (
        <>
          <dt>World</dt>
          <dd>
            {world ? (
              <a href={`/dashboard/worlds/${world.clientId}`}>{nameOf(world)}</a>
            ) : (
              <code>{call.clientId}</code>
            )}
          </dd>
        </>
      )}
      {call.replayed && (
        <>
          <dt>Repeat</dt>
          <dd>Answered as the first call with its idempotency key; nothing was sent</dd>
        </>
      )}
      {/* An older instance tells none. */}
      {(call.ignoredParameters ?? []).length > 0 && (
        <>
          <dt>Made without</dt>
          <dd>
            <code>{call.ignoredParameters.join(', ')}</code>, which the operation does not know
          </dd>
        </>
      )}
      <dt>Request id</dt>
      <dd>
        <Id value={call.requestId} what="request id" />
      </dd>
      {account.value?.isAdministrator && (
        <>
          <dt>Instance</dt>
          <dd>{call.instanceId}</dd>
        </>
      )}
    </dl>
  );
}

function Bodies({ call: { request, answer } }: { call: Call }) {
  if (!request || !answer) {
    return (
      <p class="muted">The request and the answer of this call were not kept, or are older than a day.</p>
    );
  }
  return (
    <>
      <Body title="Request" {...request} />
      <Body title="Answer" {...answer} />
    </>
  );
}

function Body({ title, text, lacks }: { title: string; text: string; lacks: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {lacks && <p class="muted">Left out: {lacks}.</p>}
      {text && <Snippet text={indented(text)} what={title.toLowerCase()} />}
    </section>
  );
}

/** Text that was cut is no whole JSON any more, so it is shown as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
