/**
 * Whether an `Accept` header prefers JSON to every other type. JSON with the same weight as other types is no preference:
 * several HTTP libraries send that by default.
 */
export function prefersJson(accept: string | undefined): boolean {
  let json = 0;
  let others = 0;
  for (const range of (accept ?? '*/*').toLowerCase().split(',', 50)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = weightOf(parameters);
    if (type === 'application/json') json = Math.max(json, weight);
    else if (type !== 'application/problem+json') others = Math.max(others, weight);
  }
  return json > others;
}

function weightOf(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return weight <= 1 ? weight : 0;
}
