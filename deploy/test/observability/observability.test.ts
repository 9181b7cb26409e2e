import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { rows } from '../../../docs/generator/observability/dashboard-rows.ts';
import {
  hostMetrics,
  processMetrics,
  relayMetrics,
  workerMetrics,
} from '../../../docs/generator/observability/metrics.ts';
import { headingsOf, readPage } from '../../../docs/markdown-files.ts';
import { root } from '../k8s/render.ts';
import { readRules } from './rules.ts';

const rules = readRules();
const alerts = rules.filter(({ alert }) => alert);

const metrics = [...relayMetrics, ...workerMetrics, ...hostMetrics, ...processMetrics];
const series = new Set(
  metrics.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
// Prometheus itself makes one.
series.add('up');
const records = new Set(rules.flatMap(({ record }) => record ?? []));

/** The names of series in a query; what stands in braces and quotes is labels and their values. */
function seriesIn(expr: string): string[] {
  const plain = expr.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\bby \([^)]*\)/g, '');
  return plain.match(/\b(?:up\b|relay|worker|browser_host|job_queue|process|nodejs)[\w:]*/g) ?? [];
}

it('every query of the dashboard asks for metrics that there are, by labels that they have', () => {
  const queries = Object.values(rows).flatMap((row) => row.flatMap((panel) => Object.values(panel.queries)));
  expect(queries.length).toBeGreaterThan(25);
  for (const query of queries) {
    expect(seriesIn(query), query).not.toEqual([]);
    expect(
      seriesIn(query).filter((name) => !series.has(name)),
      query,
    ).toEqual([]);
    for (const [, by = ''] of query.matchAll(/by \(([^)]*)\)/g)) {
      const known = metrics.find(({ name }) => seriesIn(query)[0]?.startsWith(name))?.labels ?? [];
      const asked = by.split(', ').filter((label) => !['le', 'instance'].includes(label));
      expect(
        asked.filter((label) => !known.includes(label)),
        query,
      ).toEqual([]);
    }
  }
});

it('every rule asks for metrics or records that there are', () => {
  for (const { expr } of rules) {
    expect(seriesIn(expr), expr).not.toEqual([]);
    expect(
      seriesIn(expr).filter((name) => !series.has(name) && !records.has(name)),
      expr,
    ).toEqual([]);
  }
});

it('every alert says how bad it is, and leads to a part of a page', () => {
  expect(alerts.length).toBeGreaterThan(15);
  for (const { alert, labels, annotations } of alerts) {
    expect(['page', 'ticket'], alert).toContain(labels?.severity);
    const [page = '', anchor] =
      annotations?.runbook_url.replace('{{ $externalLabels.runbooks }}', '').split('#') ?? [];
    expect(
      headingsOf(readPage(page)).map((heading) => heading.anchor),
      alert,
    ).toContain(anchor);
  }
});

it('the part of a page that an alert leads to ends in a command', () => {
  const parts = new Map(
    alerts.map(({ annotations }) => {
      const [page = '', anchor = ''] =
        annotations?.runbook_url.replace('{{ $externalLabels.runbooks }}', '').split('#') ?? [];
      return [anchor, page] as const;
    }),
  );
  const without = [...parts].filter(([anchor, page]) => {
    const part = readPage(page)
      .split(/^(?=## )/m)
      .find((one) => headingsOf(one).some((heading) => heading.anchor === anchor));
    return !part?.trimEnd().endsWith('```');
  });
  expect(without).toEqual([]);
});

it('every alert is tested for firing and for keeping quiet', () => {
  const tests = readFileSync(path.join(root, 'deploy/observability/alerts.test.yaml'), 'utf8');
  const quiet = [...tests.matchAll(/eval_time: 7h, alertname: (\w+)/g)].map(([, name]) => name);
  expect(quiet).toEqual(alerts.map(({ alert }) => alert));
});
