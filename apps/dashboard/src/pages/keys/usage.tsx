import type { ApiKey } from '@tabletop-relay/contract';
import { callCount } from '../../words/counts.ts';

type Month = Pick<ApiKey, 'usedThisMonth' | 'refusedThisMonth' | 'monthlyLimit'>;

/** "1,333 of 5,000 this month, 778 refused, not counted". */
export function monthWords({ usedThisMonth, refusedThisMonth, monthlyLimit }: Month): string {
  const used =
    monthlyLimit === null
      ? callCount(usedThisMonth)
      : `${usedThisMonth.toLocaleString('en')} of ${monthlyLimit.toLocaleString('en')}`;
  const refused =
    refusedThisMonth > 0 ? `, ${refusedThisMonth.toLocaleString('en')} refused, not counted` : '';
  return `${used} this month${refused}`;
}

/** This month against the limit: a bar, and the same in words. */
export function Usage({ apiKey }: { apiKey: Month }) {
  const { usedThisMonth, monthlyLimit } = apiKey;
  if (monthlyLimit === null) return <span class="number">{monthWords(apiKey)}</span>;
  const share = usedThisMonth / monthlyLimit;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  return (
    <span class="usage">
      <progress
        class={tone}
        max={monthlyLimit}
        value={usedThisMonth}
        aria-label="Used of this month’s limit"
      />
      <span class={`number ${tone}`}>
        {monthWords(apiKey)}
        {share >= 1 && ': refused until the month ends, unless you raise the limit'}
      </span>
    </span>
  );
}
