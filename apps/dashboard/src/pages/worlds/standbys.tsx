import type { KnownClient } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api } from '../../request.ts';
import { isFirstPage } from '../../router.ts';
import { worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { withoutPort } from '../../words/address.ts';

type Standby = KnownClient['standbys'][number];

/** The browsers that wait to serve the world, each with the button by which it serves now. */
export function Standbys({ world }: { world: KnownClient }) {
  // Nobody tells a page that a browser has begun to wait. What was just read is new.
  useEffect(() => {
    if (!isFirstPage()) void worlds.reload();
  }, []);
  if (world.standbys.length === 0) return null;
  return (
    <section>
      <h2>Waiting</h2>
      <p class="hint">
        Other browsers that have this world open. If the connected one goes away, one of them takes over
        within a second.
      </p>
      <ul class="rows">
        {world.standbys.map((standby) => (
          <Waiting world={world} standby={standby} key={standby.standbyId} />
        ))}
      </ul>
    </section>
  );
}

function Waiting({ world: { clientId }, standby }: { world: KnownClient; standby: Standby }) {
  const { standbyId, ipAddress, since } = standby;
  const name = standby.tokenName || 'A browser';
  const { run, isBusy, problem } = useAction(async () => {
    await api.serveKnownClientFrom({ clientId, standbyId });
    await worlds.reload();
    announce(`${name} serves the world now.`);
  });
  return (
    <li>
      <div class="row">
        <div class="grow">
          <p>
            <strong>{name}</strong>
          </p>
          <p class="muted">
            Waits since <Ago at={since} /> from {withoutPort(ipAddress)}
          </p>
        </div>
        <div class="buttons">
          <button
            type="button"
            aria-label={`Serve from here: ${name}`}
            disabled={isBusy.value}
            onClick={() => void run()}
          >
            Serve from here
          </button>
        </div>
      </div>
      <ProblemNotice problem={problem.value} />
    </li>
  );
}
