import { useSignal } from '@preact/signals';
import type { ConnectionToken, KnownClient } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { Ago } from '../../parts/ago.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { browsers, findWorld, isAway, nameOf, worlds } from '../../store.ts';
import { withoutPort } from '../../words/address.ts';
import { ScopeSentences } from '../keys/scope-sentences.tsx';
import { EditBrowser } from './edit-browser.tsx';

/** The browsers that may connect as this world, and which one does. */
export function Browsers({ world }: { world: KnownClient }) {
  const paired = browsers.data.value?.filter((browser) => browser.clientId === world.clientId);
  return (
    <section>
      <div class="section-head">
        <h2>Browsers</h2>
        <a class="button" href={`/dashboard/pair?world=${world.clientId}`}>
          Pair a browser
        </a>
      </div>
      {paired?.length === 0 && (
        <p class="muted">No browser is paired. The world can’t connect until one is: pair a browser.</p>
      )}
      {paired && paired.length > 0 && (
        <ul class="rows">
          {paired.map((browser) => (
            <Browser browser={browser} key={browser.id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Browser({ browser }: { browser: ConnectionToken }) {
  const isEdited = useSignal(false);
  const unpair = async () => {
    await api.revokeConnectionToken({ id: browser.id });
    await Promise.all([browsers.reload(), worlds.reload()]);
    announce(`${browser.name} is unpaired.`);
  };
  return (
    <li>
      <div class="row">
        <div class="grow">
          <p>
            <strong>{browser.name}</strong>{' '}
            {browser.isConnected === true && !isAway.value && <State tone="good" word="Connected" />}
          </p>
          <p class="muted">
            {browser.lastUsedAt ? (
              <>
                Last connected <Ago at={browser.lastUsedAt} />
                {browser.lastIpAddress && ` from ${withoutPort(browser.lastIpAddress)}`}
              </>
            ) : (
              'Never connected'
            )}
            , paired <Ago at={browser.createdAt} />
          </p>
          <Limits browser={browser} />
        </div>
        <div class="buttons">
          <button
            type="button"
            aria-expanded={isEdited.value}
            onClick={() => (isEdited.value = !isEdited.value)}
          >
            Edit
          </button>
          <ConfirmButton label="Unpair" title={`Unpair ${browser.name}?`} action={unpair} quiet>
            <p>
              {browser.isConnected ? 'Its connection ends at once. ' : ''}This browser must pair again with a
              new code. The world, its other browsers and your keys stay.
            </p>
          </ConfirmButton>
        </div>
      </div>
      {isEdited.value && <EditBrowser browser={browser} done={() => (isEdited.value = false)} />}
    </li>
  );
}

function Limits({ browser }: { browser: ConnectionToken }) {
  const { allowedTargetClients: targets, remoteScopes, ipAllowlist } = browser;
  return (
    <>
      {ipAllowlist && (
        <p class="muted">
          Only from <code>{ipAllowlist}</code>
        </p>
      )}
      {targets.length > 0 && (
        <>
          <p class="muted">
            In {worldNames(targets)} its module may
            {browser.actingUserIds ? ', as the users that you chose' : ''}
            {remoteScopes.length === 0 ? ' do nothing yet' : ':'}
          </p>
          {remoteScopes.length > 0 && <ScopeSentences scopes={remoteScopes} />}
        </>
      )}
    </>
  );
}

const shownNames = 3;

function worldNames(clientIds: readonly string[]): string {
  const names = clientIds
    .map(findWorld)
    .filter((world) => world !== undefined)
    .map(nameOf);
  const rest = clientIds.length - Math.min(shownNames, names.length);
  const shown = [...names.slice(0, shownNames), ...(rest > 0 ? [`${rest} more`] : [])];
  return new Intl.ListFormat('en').format(shown);
}
