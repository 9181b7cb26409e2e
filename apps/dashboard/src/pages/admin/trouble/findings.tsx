import type { AnswerOf, troubleEndpoints } from '@tabletop-relay/contract';
import { Fragment } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Ago } from '../../../parts/ago.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { api } from '../../../request.ts';
import { createResource } from '../../../resource.ts';

type Found = AnswerOf<(typeof troubleEndpoints)['listFindings']>['items'][number];

const states = {
  problem: { tone: 'bad', word: 'Problem' },
  warning: { tone: 'warn', word: 'Warning' },
  unchecked: { tone: 'off', word: 'Not checked' },
  ok: { tone: 'good', word: 'Fine' },
} as const;

const order = Object.keys(states);

/** What `pnpm admin doctor` would say on the instance that answers. */
export function Findings() {
  const findings = useMemo(() => createResource(() => api.listFindings()), []);
  useEffect(() => void findings.reload(), [findings]);
  const known = findings.data.value;
  const sorted = (known?.items ?? []).toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state),
  );
  const wrong = sorted.filter(({ state }) => state !== 'ok');
  const fine = sorted.filter(({ state }) => state === 'ok');
  return (
    <section>
      <h2>What the doctor says</h2>
      <ProblemNotice problem={findings.problem.value} />
      {!known && !findings.problem.value && <div class="loading-part" aria-busy="true" />}
      {known && (
        <>
          <p class="hint">
            Checked <Ago at={known.checkedAt} /> on <code>{known.instanceId}</code>, once a minute at most.
          </p>
          {wrong.length === 0 && <p>All {fine.length} checks are fine.</p>}
          <FindingList items={wrong} />
          {wrong.length > 0 && fine.length > 0 && (
            <details>
              <summary>{fine.length === 1 ? '1 check is fine' : `${fine.length} checks are fine`}</summary>
              <FindingList items={fine} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

const FindingList = ({ items }: { items: readonly Found[] }) => (
  <ul class="rows">
    {items.map(({ check, state, detail, cure }) => (
      <li key={`${check} ${detail}`}>
        <p class="with-state">
          <strong>{check}</strong> <State {...states[state]} />
        </p>
        <p>{detail}</p>
        {cure !== null && (
          <p class="muted">
            <Cure text={cure} />
          </p>
        )}
      </li>
    ))}
  </ul>
);

/** A page that a cure names is one of the guides here; a command stands as code. */
function Cure({ text }: { text: string }) {
  const pieces = text.split(/(docs\/[\w/-]+\.md(?:#[\w-]+)?|`[^`]+`)/);
  return (
    <>
      {pieces.map((piece, index) => {
        const [, name, anchor = ''] = /^docs\/(?:[\w-]+\/)*([\w-]+)\.md(#[\w-]+)?$/.exec(piece) ?? [];
        if (name !== undefined)
          return <a key={index} href={`/guides/${name}${anchor}`}>{`${name}${anchor}`}</a>;
        if (piece.startsWith('`')) return <code key={index}>{piece.slice(1, -1)}</code>;
        return <Fragment key={index}>{piece}</Fragment>;
      })}
    </>
  );
}
