import { useSignal } from '@preact/signals';
import type { KnownClient } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { announce } from '../../parts/announcer.tsx';
import { Ago } from '../../parts/ago.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Id } from '../../parts/copy.tsx';
import { NotRead } from '../../parts/not-read.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { OnlineState } from '../../parts/state.tsx';
import { account, api } from '../../request.ts';
import { navigate } from '../../router.ts';
import { browsers, findWorld, keys, nameOf, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { withoutPort } from '../../words/address.ts';
import { browserCount } from '../../words/counts.ts';
import { LazyWorldTonight } from '../overview/lazy-overviews.tsx';
import { Browsers } from './browsers.tsx';
import { HeldBySession } from './held-by-session.tsx';
import { RecentConnections } from './recent-connections.tsx';
import { LazyTail } from './tail/lazy-tail.tsx';
import { PingButton } from './ping-button.tsx';
import { PauseButton, Pauses } from './pause-world.tsx';
import { Standbys } from './standbys.tsx';
import { systemOf } from './worlds-page.tsx';
import { Presence } from '../../parts/presence.tsx';
import { Form } from '../../parts/form/form.tsx';

export function WorldPage({ clientId }: { clientId: string }) {
  useEffect(() => {
    LazyWorldTonight.preload();
    LazyTail.preload();
  }, []);
  const world = findWorld(clientId);
  if (!worlds.data.value) return <NotRead title="World" problem={worlds.problem.value} />;
  if (!world) {
    return (
      <Page title="No such world">
        <p>
          You have no world by this id; it may have been forgotten. See{' '}
          <a href="/dashboard/worlds">your worlds</a>.
        </p>
      </Page>
    );
  }
  return (
    <Page
      title={nameOf(world)}
      actions={
        <>
          <PauseButton world={world} />
          {world.isOnline === false && (
            <a class="button" href={`/dashboard/sessions/new?world=${encodeURIComponent(world.worldId)}`}>
              Host it
            </a>
          )}
          <a class="button" href={`/dashboard/try?world=${clientId}`}>
            Try a call
          </a>
        </>
      }
    >
      <ProblemNotice problem={worlds.problem.value} />
      <p class="lead">
        <OnlineState isOnline={world.isOnline} /> <Presence world={world} />{' '}
        {world.isOnline && <PingButton world={world} />}
      </p>
      <Pauses world={world} />
      <HeldBySession world={world} />
      <Standbys world={world} />
      <LazyWorldTonight clientId={clientId} />
      <Browsers world={world} />
      <LazyTail clientId={clientId} />
      <RecentConnections clientId={clientId} />
      <Facts world={world} />
      <details class="folded">
        <summary>
          <h2>Rename or forget</h2>
        </summary>
        <Rename world={world} />
        <Forget world={world} />
      </details>
    </Page>
  );
}

function Facts({ world }: { world: KnownClient }) {
  return (
    <section>
      <h2>About</h2>
      <dl>
        <dt>World id (clientId)</dt>
        <dd>
          <Id value={world.clientId} what="client id" />
        </dd>
        <dt>World</dt>
        <dd>
          {world.worldTitle} <code>{world.worldId}</code>
        </dd>
        <dt>System</dt>
        <dd>{systemOf(world)}</dd>
        {world.isOnline && (
          <>
            <dt>Connected from</dt>
            <dd>
              {withoutPort(world.ipAddress)}
              {account.value?.isAdministrator && (
                <>
                  , to instance <code>{world.instanceId}</code>
                </>
              )}
            </dd>
          </>
        )}
        <dt>Paired</dt>
        <dd>
          <Ago at={world.createdAt} />
        </dd>
      </dl>
    </section>
  );
}

function Rename({ world }: { world: KnownClient }) {
  const name = useSignal(world.customName);
  const { run, isBusy, problem } = useAction(async () => {
    await api.updateKnownClient({ clientId: world.clientId, customName: name.value });
    await worlds.reload();
    announce('Name saved.');
  });
  return (
    <section>
      <h3>Name</h3>
      <Form class="inline" problem={problem.value} send={() => void run()}>
        <input
          aria-label="Name of this world"
          maxLength={100}
          placeholder={world.worldTitle}
          value={name}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button disabled={isBusy.value || name.value === world.customName}>Save name</button>
      </Form>
      <p class="hint">
        The name that you and your programs see. Leave it empty to use the tabletop’s own title.
      </p>
      <ProblemNotice problem={problem.value} />
    </section>
  );
}

function Forget({ world }: { world: KnownClient }) {
  const bound = keys.data.value?.filter((key) => key.clientIds?.includes(world.clientId)) ?? [];
  const forget = async () => {
    await api.deleteKnownClient({ clientId: world.clientId });
    await Promise.all([worlds.reload(), browsers.reload(), keys.reload()]);
    announce(`${nameOf(world)} is forgotten.`);
    navigate('/dashboard/worlds');
  };
  return (
    <section>
      <h3>Forget</h3>
      <p>
        Unpairs {browserCount(world.tokens)} and takes the world off your keys.{' '}
        <ConfirmButton label="Forget world" title={`Forget ${nameOf(world)}?`} action={forget}>
          <p>
            Unpairs {browserCount(world.tokens)}, and ends the connection if there is one. To come back, the
            world must pair again, and may get a new id. Its records stay in your activity.
          </p>
          {bound.length > 0 && (
            <p>
              Bound to it: {bound.map((key) => key.name).join(', ')}. A key that is bound to this world alone
              reaches nothing afterwards.
            </p>
          )}
        </ConfirmButton>
      </p>
    </section>
  );
}
