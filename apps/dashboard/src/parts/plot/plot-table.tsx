import { useSignal } from '@preact/signals';
import { hourWords } from './hour-words.ts';
import type { PlotProps } from './plot-props.ts';

/** The numbers of a plot, for who cannot see it or wants them exact. Hours or minutes without any are left out. */
export function PlotTable({ title, hours, series, print }: Omit<PlotProps, 'kind'>) {
  const isOpen = useSignal(false);
  const rows = hours
    .map((hour, index) => ({ hour, values: series.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .toReversed();
  return (
    <details class="as-table" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        As a table<span class="visually-hidden">: {title}</span>
      </summary>
      {isOpen.value && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ hour, values }) => (
                <tr key={hour}>
                  <th scope="row">{hourWords(hour)}</th>
                  {values.map((value, index) => (
                    <td class="number" key={series[index]?.name}>
                      {value === null ? '' : print(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <p class="muted">Nothing in this time.</p>}
        </div>
      )}
    </details>
  );
}
