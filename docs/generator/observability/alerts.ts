import { readRules } from '../../../deploy/test/observability/rules.ts';
import { code, page, table } from '../markdown.ts';

const severities: Readonly<Record<string, string>> = {
  page: 'now, also at night',
  ticket: 'in working hours',
};

/** `docs/reference/alerts.md`. */
export function alertsPage(): string {
  const rules = readRules();
  return page(
    'Alerts',
    '`deploy/observability/alerts.yaml`',
    'The rules of `deploy/observability/alerts.yaml`, for Prometheus. In a summary `{{ ... }}` stands for what Prometheus puts there.',
    `## Alerts\n\n${table(
      ['alert', 'look', 'tells', 'fires when', 'for', 'do'],
      rules.flatMap(({ alert, labels, annotations, expr, for: lasting = '0m' }) =>
        alert === undefined
          ? []
          : [
              [
                code(alert),
                severities[labels?.severity ?? ''] ?? '',
                annotations?.summary ?? '',
                code(expr),
                lasting,
                linkTo(annotations?.runbook_url ?? ''),
              ],
            ],
      ),
    )}`,
    `## What they reckon with\n\n${table(
      ['record', 'is'],
      rules.flatMap(({ record, expr }) => (record === undefined ? [] : [[code(record), code(expr)]])),
    )}`,
  );
}

/** `docs/operations/incidents.md#a-part`, behind the operator's own address, from the folder of this page. */
function linkTo(runbook: string): string {
  const [, anchor = ''] = runbook.split('#');
  return `[${anchor.replaceAll('-', ' ')}](${runbook.replace(/^.*docs\//, '../')})`;
}
