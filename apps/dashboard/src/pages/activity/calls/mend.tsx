import { scopesBeyondUsers } from '@tabletop-relay/contract';
import type { ApiKey, CallRecord, Scope } from '@tabletop-relay/contract';
import type { ComponentChildren } from 'preact';
import { announce } from '../../../parts/announcer.tsx';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { Copy } from '../../../parts/copy.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { dangerOf, titleOf } from '../../../parts/scope-picker.tsx';
import { api } from '../../../request.ts';
import { findKey, findWorld, keys, nameOf, worldLabel, worlds } from '../../../store.ts';
import { useAction } from '../../../use-action.ts';
import { findOperation } from './call-words.ts';

interface MendProps {
  call: Pick<CallRecord, 'keyId' | 'operation' | 'outcome' | 'clientId'>;
}

/** What ends a refusal: the change of the key itself, or where it is found. Nothing where nobody can mend it here. */
export function Mend({ call }: MendProps) {
  const key = findKey(call.keyId);
  if (!key) return null;
  switch (call.outcome) {
    case 'scope_missing':
      return <MissingScope apiKey={key} scope={findOperation(call.operation)?.scope} />;
    case 'client_required':
      return <WhichWorld apiKey={key} />;
    case 'client_not_found':
      return <OutOfReach apiKey={key} clientId={call.clientId} />;
    case 'client_offline':
      return <Offline clientId={call.clientId} />;
    case 'monthly_limit_reached':
      return <Edit apiKey={key} says="It has used up its calls for this month." what="Change the limit" />;
    case 'key_expired':
      return <Edit apiKey={key} says={`${key.name} has expired.`} what="Change when it expires" />;
    case 'acting_user_fixed':
    case 'acting_user_unchecked':
      return <Edit apiKey={key} says={`${key.name} is bound to a user.`} what="Change who it acts as" />;
    default:
      return null;
  }
}

const Says = ({ children }: { children: ComponentChildren }) => (
  <div class="notice warn mend">{children}</div>
);

function Edit({ apiKey, says, what }: { apiKey: ApiKey; says: string; what: string }) {
  return (
    <Says>
      <p>{says}</p>
      <a class="button" href={`/dashboard/keys/${apiKey.id}/edit`}>
        {what}
      </a>
    </Says>
  );
}

function MissingScope({ apiKey, scope }: { apiKey: ApiKey; scope: Scope | undefined }) {
  const { id, name, scopes, actingUserIds } = apiKey;
  const may = titleOf(scope ?? '').replace(/^./, (letter) => letter.toLowerCase());
  const allow = async () => {
    if (scope === undefined) return;
    await api.updateApiKey({ id, scopes: [...(scopes as Scope[]), scope] });
    await keys.reload();
    announce(`${name} may now ${may}.`);
  };
  const { run, isBusy, problem } = useAction(allow);
  if (scope === undefined) return null;
  if (scopes.includes(scope)) return <Says>By now {name} may do it. Its next call is let through.</Says>;
  if (actingUserIds && scopesBeyondUsers.includes(scope))
    return (
      <Says>
        {name} acts as a user of the world, and such a key may never {may}.
      </Says>
    );
  const danger = dangerOf(scope);
  return (
    <Says>
      <p>
        <strong>
          {name} may not {may}.
        </strong>
      </p>
      {danger ? (
        <ConfirmButton label="Allow it" title={`Allow ${name} to ${may}?`} action={allow}>
          <p>{danger}</p>
        </ConfirmButton>
      ) : (
        <button type="button" disabled={isBusy.value} onClick={() => void run()}>
          Allow it
        </button>
      )}
      <ProblemNotice problem={problem.value} />
    </Says>
  );
}

/** The worlds that the call may have meant. A key for one world alone has to name none. */
function WhichWorld({ apiKey: { id, name, clientIds, actingUserIds } }: { apiKey: ApiKey }) {
  const { run, isBusy, problem } = useAction(async (clientId: string, world: string) => {
    await api.updateApiKey({ id, clientIds: [clientId] });
    await keys.reload();
    announce(`${name} calls ${world} alone.`);
  });
  if (clientIds?.length === 1)
    return <Says>By now {name} is for one world alone, so its calls name none.</Says>;
  const reached = (worlds.data.value ?? []).filter(
    ({ clientId, isOnline }) => isOnline && (clientIds?.includes(clientId) ?? true),
  );
  if (reached.length === 0) return <Says>None of the worlds that {name} may reach is online. Open one.</Says>;
  return (
    <Says>
      <p>
        <strong>Which world?</strong> {name} reaches several that are online. Put the <code>clientId</code> of
        one into the call, or let it call one alone.
      </p>
      <ul class="rows">
        {reached.map((world) => (
          <li key={world.clientId} class="buttons">
            <span>{worldLabel(world)}</span>
            <Copy text={world.clientId} what={`clientId of ${worldLabel(world)}`} label="Copy clientId" />
            {actingUserIds === null && (
              <button
                type="button"
                disabled={isBusy.value}
                aria-label={`Only this one: ${worldLabel(world)}`}
                onClick={() => void run(world.clientId, worldLabel(world))}
              >
                Only this one
              </button>
            )}
          </li>
        ))}
      </ul>
      <ProblemNotice problem={problem.value} />
    </Says>
  );
}

function OutOfReach({ apiKey, clientId }: { apiKey: ApiKey; clientId: string | null }) {
  const { id, name, clientIds, actingUserIds } = apiKey;
  const { run, isBusy, problem } = useAction(async () => {
    await api.updateApiKey({ id, clientIds: [...(clientIds ?? []), clientId ?? ''] });
    await keys.reload();
    announce(`${name} may call it.`);
  });
  const world = clientId === null ? undefined : findWorld(clientId);
  if (!world || !clientIds) return null;
  if (clientIds.includes(world.clientId))
    return (
      <Says>
        By now {name} reaches {nameOf(world)}.
      </Says>
    );
  if (actingUserIds)
    return (
      <Edit apiKey={apiKey} says={`${name} does not reach ${nameOf(world)}.`} what="Choose a user there" />
    );
  return (
    <Says>
      <p>
        <strong>
          {name} does not reach {nameOf(world)}.
        </strong>
      </p>
      <button type="button" disabled={isBusy.value} onClick={() => void run()}>
        Let it call {nameOf(world)}
      </button>
      <ProblemNotice problem={problem.value} />
    </Says>
  );
}

function Offline({ clientId }: { clientId: string | null }) {
  const world = clientId === null ? undefined : findWorld(clientId);
  if (!world) return null;
  return (
    <Says>
      {world.isOnline ? (
        `${nameOf(world)} is online by now.`
      ) : (
        <>
          <a href={`/dashboard/worlds/${world.clientId}`}>{nameOf(world)}</a> is offline. Open it in its
          tabletop.
        </>
      )}
    </Says>
  );
}
