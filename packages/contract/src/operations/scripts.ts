import type { Scope } from '../scopes.ts';

/**
 * The scope that data needs besides where it embeds behaviours: a region's behaviour can run a script. They may lie at
 * any depth, and under a dotted name.
 */
export function scopesForScripts(data: unknown): Scope[] {
  return embedsBehaviors(data) ? ['script:execute'] : [];
}

function embedsBehaviors(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(embedsBehaviors);
  return Object.entries(value).some(
    ([name, inner]) => name.split('.').includes('behaviors') || embedsBehaviors(inner),
  );
}
