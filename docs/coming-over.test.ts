import { describe, expect, it } from 'vitest';
import { subjectOf } from './generator/coming-over/coming-over.ts';
import { findDifferences } from './generator/coming-over/differences.ts';
import { reasonOf, reasons } from './generator/coming-over/reasons.ts';
import { readPage } from './markdown-files.ts';

const differences = findDifferences();
const nameOf = ({ topic, subject }: { topic: string; subject: string }) => `${topic}: ${subject}`;

describe('what differs from the other relay', () => {
  it.each(differences.map((one) => [nameOf(one), one] as const))('%s: has a reason', (_name, one) => {
    expect(reasonOf(one)?.why, `mend it, or say in reasons.ts why it stays`).toBeDefined();
    expect(readPage('docs/reference/coming-from-another-relay.md')).toContain(`| ${subjectOf(one)} | `);
  });

  it('is named once, and what stays on purpose is there', () => {
    const found = differences.map(nameOf);
    expect(new Set(found).size).toBe(found.length);
    const explain = (some: typeof reasons) =>
      some.flatMap(({ topic, of }) => of.map((subject) => nameOf({ topic, subject })));
    expect(new Set(explain(reasons)).size).toBe(explain(reasons).length);
    const onPurpose = explain(reasons.filter(({ isYetToCome }) => isYetToCome !== true));
    expect(onPurpose.filter((name) => !found.includes(name))).toEqual([]);
  });
});
