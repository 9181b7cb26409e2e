import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: { severity: string };
  annotations?: { summary: string; runbook_url: string };
}

const file = new URL('../../observability/alerts.yaml', import.meta.url);

/** The groups of rules of deploy/observability, in their order. */
export function readGroups(): { name: string; rules: Rule[] }[] {
  return (parse(readFileSync(file, 'utf8')) as { groups: { name: string; rules: Rule[] }[] }).groups;
}

/** Every rule of deploy/observability, in its order. */
export function readRules(): Rule[] {
  return readGroups().flatMap(({ rules }) => rules);
}

/** `k8s/components/monitoring/alerts.yaml`: the rules as the Prometheus Operator takes them. */
export function prometheusRule(): string {
  const text = stringify(
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'tabletop-relay' },
      spec: { groups: readGroups() },
    },
    { lineWidth: 0 },
  );
  return `# Generated from deploy/observability/alerts.yaml by \`pnpm docs:generate\`. A test compares it: change the source.\n${text}`;
}
