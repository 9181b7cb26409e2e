import {
  connectionOutcomes,
  errors,
  operationGroups,
  operations,
  remoteRequestOutcomes,
} from '@tabletop-relay/contract';
import type { EventWords } from '@tabletop-relay/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { navigate } from '../../router.ts';
import { keys, worldLabel, worlds } from '../../store.ts';
import { kinds, times, writeFilters } from './filters.ts';
import type { Filters } from './filters.ts';

/** Filters of the feed. Each choice stands in the address bar. */
export function FilterBar({ filters }: { filters: Filters }) {
  const change: Change = (changes) =>
    navigate(`/dashboard/activity${writeFilters({ ...filters, ...changes })}`, { replace: true });
  const hasCalls = filters.show === 'all' || filters.show === 'calls';
  return (
    <>
      <Chips filters={filters} change={change} />
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Show"
          value={filters.show}
          options={Object.entries(kinds)}
          onChange={(show) => change({ ...noneOfCalls, show: show as Filters['show'], outcome: '' })}
        />
        <Choice
          label="World"
          value={filters.world}
          options={worldOptions()}
          onChange={(world) => change({ world })}
        />
        {hasCalls && (
          <>
            <Choice
              label="Key"
              value={filters.key}
              options={keyOptions()}
              onChange={(key) => change({ key })}
            />
            <Choice
              label="Operation"
              value={filters.operation}
              options={[['', 'Any operation']]}
              groups={operationsByGroup}
              onChange={(operation) => change({ operation })}
            />
            <RequestId value={filters.request} onChange={(request) => change({ request })} />
          </>
        )}
        <Choice
          label="Outcome"
          value={filters.outcome}
          options={outcomesOf(filters)}
          onChange={(outcome) => change({ outcome })}
        />
        <Choice
          label="Time"
          value={filters.time}
          options={Object.entries(times)}
          onChange={(time) => change({ time: time as Filters['time'] })}
        />
        {writeFilters(filters) !== '' && (
          <button
            type="button"
            class="clear-filters"
            onClick={() => navigate('/dashboard/activity', { replace: true })}
          >
            Clear filters
          </button>
        )}
      </form>
    </>
  );
}

/** What is typed stands here until it is sent off: the page is drawn anew while somebody types. */
function RequestId({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const typed = useSignal(value);
  useEffect(() => void (typed.value = value), [value]);
  return (
    <label>
      <span>Request id</span>
      <input
        type="search"
        autoComplete="off"
        spellcheck={false}
        maxLength={100}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </label>
  );
}

const noneOfCalls = { key: '', operation: '', request: '' } as const;

/** What is looked for most. */
const chips: readonly [word: string, choice: Pick<Filters, 'show' | 'outcome'>][] = [
  ['All', { show: 'all', outcome: '' }],
  ['Failed', { show: 'calls', outcome: 'failed' }],
  ['Connections', { show: 'connections', outcome: '' }],
];

type Change = (changes: Partial<Filters>) => void;

function Chips({ filters, change }: { filters: Filters; change: Change }) {
  const isNarrowed = Boolean(filters.key || filters.operation || filters.request);
  const chosen = chips.find(
    ([, { show, outcome }]) =>
      show === filters.show &&
      (show === 'connections' || outcome === filters.outcome) &&
      !(show === 'all' && isNarrowed),
  );
  return (
    <div class="segments chips" role="group" aria-label="Quick filters">
      {chips.map(([word, choice]) => (
        <button
          type="button"
          key={word}
          aria-pressed={chosen?.[0] === word}
          // Failures of the key that is chosen are looked for more often than those of all.
          onClick={() => change(choice.show === 'calls' ? choice : { ...noneOfCalls, ...choice })}
        >
          {word}
        </button>
      ))}
    </div>
  );
}

type Option = [value: string, words: string];

interface OptionGroup {
  title: string;
  options: Option[];
}

const worldOptions = (): Option[] => [
  ['', 'Any world'],
  ...(worlds.data.value ?? []).map((world): Option => [world.clientId, worldLabel(world)]),
];

const keyOptions = (): Option[] => [
  ['', 'Any key'],
  ...(keys.data.value ?? []).map(({ id, name }): Option => [id, name]),
];

const operationsByGroup: OptionGroup[] = Object.values(operationGroups).map(({ name: group, title }) => ({
  title,
  options: operations
    .filter((one) => one.group === group)
    .map(({ name, summary }): Option => [name, summary]),
}));

/** Its sentence goes on from a name; without one it begins with a capital letter. */
const named = (outcomes: Readonly<Record<string, EventWords>>): Option[] =>
  Object.entries(outcomes).map(([name, { sentence }]) => [name, capitalized(sentence)]);

function capitalized(sentence: string): string {
  const text = sentence.replace(/^(and|but) /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const outcomes: Record<Exclude<Filters['show'], 'all'>, Option[]> = {
  connections: named(connectionOutcomes),
  remote: named(remoteRequestOutcomes),
  account: [
    ['ok', 'Carried out'],
    ['refused', 'Refused'],
  ],
  calls: [
    ['ok', 'Carried out'],
    ['failed', 'All that failed'],
    ...Object.entries(errors).map(([code, { title }]): Option => [code, title]),
  ],
};

function outcomesOf({ show, key, operation, request }: Filters): Option[] {
  const shown =
    key || operation || request
      ? outcomes.calls
      : show === 'all'
        ? Object.values(outcomes).flat()
        : outcomes[show];
  return [['', 'Any outcome'], ...new Map(shown)];
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Option[];
  groups?: readonly OptionGroup[];
  onChange: (value: string) => void;
}

/** A choice that the address bar names is shown even if it is no longer offered, such as a revoked key. */
function Choice({ label, value, options, groups = [], onChange }: ChoiceProps) {
  const offered = [...options, ...groups.flatMap((group) => group.options)];
  const isOffered = offered.some(([name]) => name === value);
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {[...options, ...(isOffered ? [] : [[value, value] satisfies Option])].map(([name, word]) => (
          <option value={name} key={name}>
            {word}
          </option>
        ))}
        {groups.map(({ title, options: within }) => (
          <optgroup label={title} key={title}>
            {within.map(([name, word]) => (
              <option value={name} key={name}>
                {word}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
