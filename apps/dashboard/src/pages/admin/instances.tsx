import type { InstanceLoad } from '@tabletop-relay/contract';
import { useMemo } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { useWhileSeen } from './use-while-seen.ts';

/** Interval at which instances report their load. */
const pollMs = 5_000;

const states = {
  ready: { tone: 'good', word: 'Ready' },
  draining: { tone: 'off', word: 'Leaving' },
  degraded: { tone: 'warn', word: 'Without Redis' },
  deaf: { tone: 'bad', word: 'Hears nobody' },
  foreign: { tone: 'bad', word: 'On another Redis' },
} as const;

/** The running processes of the relay, and how much they have to do. */
export function Instances() {
  const instances = useMemo(() => createResource(async () => (await api.listInstances()).items), []);
  useWhileSeen(instances, pollMs);
  return (
    <section>
      <h2>Instances</h2>
      <ProblemNotice problem={instances.problem.value} />
      {instances.data.value ? (
        <div class="scroll" tabIndex={0} role="group" aria-label="Instances">
          <table>
            <thead>
              <tr>
                <th scope="col">Instance</th>
                <th scope="col">State</th>
                <th scope="col" class="number">
                  Worlds
                </th>
                <th scope="col" class="number">
                  Streams
                </th>
                <th scope="col" class="number">
                  Calls a minute
                </th>
                <th scope="col" class="number">
                  Busy
                </th>
                <th scope="col" class="number">
                  Event loop waits
                </th>
                <th scope="col" class="number">
                  Memory
                </th>
                <th scope="col">Started</th>
              </tr>
            </thead>
            <tbody>
              {instances.data.value.map((instance) => (
                <InstanceRow instance={instance} key={`${instance.instanceId} ${instance.startedAt}`} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div class="loading-part" aria-busy="true" />
      )}
    </section>
  );
}

const count = (value: number) => value.toLocaleString('en');

function InstanceRow({ instance }: { instance: InstanceLoad }) {
  return (
    <tr>
      <th scope="row">
        <code>{instance.instanceId}</code>
      </th>
      <td>
        <State {...states[instance.state]} />
      </td>
      <td class="number">{count(instance.worlds)}</td>
      <td class="number">{count(instance.streams)}</td>
      <td class="number">{count(instance.callsPerMinute)}</td>
      <td class="number">{Math.round(instance.busyShare * 100)} %</td>
      <td class="number">{instance.loopDelayMs === null ? '' : `${count(instance.loopDelayMs)} ms`}</td>
      <td class="number">{count(Math.round(instance.memoryBytes / 1_048_576))} MiB</td>
      <td>
        <Ago at={instance.startedAt} />, version {instance.version}
      </td>
    </tr>
  );
}
