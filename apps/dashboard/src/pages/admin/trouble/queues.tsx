import type { Queues } from '@tabletop-relay/contract';
import { useMemo } from 'preact/hooks';
import { Ago } from '../../../parts/ago.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { api } from '../../../request.ts';
import { createResource } from '../../../resource.ts';
import { tryCount } from '../../../words/counts.ts';
import { useWhileSeen } from '../use-while-seen.ts';

const everyMs = 10_000;

const names: Readonly<Record<string, string>> = {
  jobs: 'Jobs of workers',
  notifications: 'Notifications',
  headless: 'Hosted worlds to start',
};

/** A worker takes a job within a second: one that waits longer finds none. */
const lateMs = 30_000;

/** Jobs and notifications of all accounts: what waits, and what was given up. */
export function QueuesPart() {
  const queues = useMemo(() => createResource(() => api.getQueues()), []);
  useWhileSeen(queues, everyMs);
  const known = queues.data.value;
  return (
    <>
      <section>
        <h2>Queues</h2>
        <ProblemNotice problem={queues.problem.value} />
        {!known && !queues.problem.value && <div class="loading-part" aria-busy="true" />}
        {known?.queues === null && (
          <p class="notice bad">
            The store of the queues does not answer: nothing is notified, and no hosted world starts.{' '}
            <a href="/guides/incidents#jobs-fail-or-do-not-run">What to do</a>
          </p>
        )}
        {known?.queues && <QueueTable queues={known.queues} />}
      </section>
      {known && <GivenUp known={known} />}
    </>
  );
}

function QueueTable({ queues }: { queues: NonNullable<Queues['queues']> }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Queues">
      <table>
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">State</th>
            {['Due', 'Being done', 'For later', 'Given up'].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting, active, delayed, failed, oldestMs }) => (
            <tr key={name}>
              <th scope="row">{names[name] ?? name}</th>
              <td>
                {oldestMs > lateMs ? (
                  <State
                    tone="bad"
                    word={`Waits for ${Math.round(oldestMs / 1_000).toLocaleString('en')} s`}
                  />
                ) : (
                  <State tone="good" word="Runs" />
                )}
              </td>
              {[waiting, active, delayed, failed].map((jobs, index) => (
                <td class="number" key={index}>
                  {jobs.toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function GivenUp({ known: { notifications, deadLetters, failedJobs } }: { known: Queues }) {
  const { looked, pending, failed } = notifications;
  return (
    <section>
      <h2>Dead letters</h2>
      <p class="hint">
        Of the last {looked.toLocaleString('en')} notifications, still tried: {pending.toLocaleString('en')};
        given up: {failed.toLocaleString('en')}. Their owners see what they said;{' '}
        <code>pnpm admin dead-letters</code> has the reasons, and sends them again.
      </p>
      {deadLetters.length + failedJobs.length === 0 && <p class="empty">Nothing was given up.</p>}
      <ul class="rows">
        {deadLetters.map(({ accountId, email, kind, tries, createdAt, answerStatus }, index) => (
          <li class="row" key={`${accountId} ${createdAt} ${index}`}>
            <span class="grow">
              <strong>{email ?? accountId ?? 'To the operator'}</strong> by {kind}, {tryCount(tries)},{' '}
              {answerStatus === null ? 'no answer' : `answered ${answerStatus}`}
            </span>
            <span class="muted">
              <Ago at={createdAt} />
            </span>
          </li>
        ))}
        {failedJobs.map(({ queue, name, tries, failedAt }, index) => (
          <li class="row" key={`${queue} ${name} ${index}`}>
            <span class="grow">
              Job <code>{name}</code> of {queue}, {tryCount(tries)}
            </span>
            <span class="muted">{failedAt !== null && <Ago at={failedAt} />}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
