import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, RelayOverview, SlowAccount } from '@tabletop-relay/contract';
import { exactTime } from '../../../words/relative-time.ts';
import { Plot } from '../../../parts/plot/plot.tsx';
import { callCount } from '../../../words/counts.ts';
import { inMs } from '../../../words/times.ts';
import { sum } from '../../overview/sums.ts';

const spans = { hour: 'Last hour', day: '24 hours' } as const;

export type RelaySpan = keyof typeof spans;

const count = (calls: number) => calls.toLocaleString('en');

interface RelayCallsProps {
  overview: RelayOverview | undefined;
  span: RelaySpan;
  choose: (span: RelaySpan) => void;
}

/** The calls of all accounts: in numbers, drawn, and by the codes of those that did not succeed. */
export function RelayCalls({ overview, span, choose }: RelayCallsProps) {
  return (
    <section>
      <div class="section-head">
        <h2>Calls of all accounts</h2>
        <div class="segments" role="group" aria-label="Time">
          {Object.entries(spans).map(([name, word]) => (
            <button
              type="button"
              key={name}
              aria-pressed={name === span}
              onClick={() => choose(name as RelaySpan)}
            >
              {word}
            </button>
          ))}
        </div>
      </div>
      {overview ? (
        <CallFigures overview={overview} span={span} />
      ) : (
        <div class="plot-room" aria-busy="true" />
      )}
    </section>
  );
}

function CallFigures({ overview, span }: { overview: RelayOverview; span: RelaySpan }) {
  const { starts, ok, refused, failed } = overview;
  const numbers: [name: string, calls: number, tone: string][] = [
    ['Calls', sum(ok) + sum(refused) + sum(failed), ''],
    ['Refused', sum(refused), 'warn'],
    ['Failed', sum(failed), 'bad'],
  ];
  return (
    <>
      <dl class="numbers">
        {numbers.map(([name, calls, tone]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={`number ${calls > 0 ? tone : ''}`}>{count(calls)}</dd>
          </div>
        ))}
      </dl>
      <Plot
        title={span === 'hour' ? 'Calls each minute' : 'Calls each ten minutes'}
        kind="bars"
        hours={starts}
        print={count}
        series={[
          { name: 'failed', colour: 'bad', values: failed },
          { name: 'refused', colour: 'warn', values: refused },
          { name: 'done', colour: 'accent', values: ok },
        ]}
      />
      <ul class="rows">
        {overview.errors.map(({ code, calls }) => (
          <li class="row" key={code}>
            <span class="grow">
              {Object.hasOwn(errors, code) ? errors[code as ErrorCode].title : code}{' '}
              <a href={`/errors/${code}`}>
                <code>{code}</code>
              </a>
            </span>
            <span class="number">{callCount(calls)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whose calls take long, and whether their world does or the relay. */
export function SlowAccounts({ overview }: { overview: RelayOverview | undefined }) {
  return (
    <section>
      <h2>Slowest accounts</h2>
      {!overview && <div class="loading-part" aria-busy="true" />}
      {overview && (
        <p class="hint">Calls of more than a second, since {exactTime(Date.parse(overview.slowestSince))}.</p>
      )}
      {overview?.slowest.length === 0 && <p class="empty">No call took that long.</p>}
      {overview && overview.slowest.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Slowest accounts">
          <table>
            <thead>
              <tr>
                <th scope="col">Account</th>
                {columns.map(([name]) => (
                  <th scope="col" class="number" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {overview.slowest.map((account) => (
                <tr key={account.accountId}>
                  <th scope="row">{account.email || account.accountId}</th>
                  {columns.map(([name, print]) => (
                    <td class="number" key={name}>
                      {print(account)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const ms = (value: number | null) => (value === null ? '' : inMs(value));

const columns: readonly [name: string, print: (account: SlowAccount) => string][] = [
  ['Slow by world', ({ slowWorld }) => count(slowWorld)],
  ['Slow by relay', ({ slowRelay }) => count(slowRelay)],
  ['Calls', ({ calls }) => count(calls)],
  ['Refused', ({ refused }) => count(refused)],
  ['Failed', ({ failed }) => count(failed)],
  ['World, slowest 5 %', ({ worldP95 }) => ms(worldP95)],
  ['Relay, slowest 5 %', ({ relayP95 }) => ms(relayP95)],
];
