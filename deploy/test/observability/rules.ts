import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: { severity: string };
  annotations?: { summary: string; runbook_url: string };
}

const file = new URL('../../observability/alerts.yaml', import.meta.url);

/** Every rule of deploy/observability, in its order. */
export function readRules(): Rule[] {
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
