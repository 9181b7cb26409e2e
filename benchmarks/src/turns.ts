/**
 * Measures each of the named in turns, so many rounds, in an order that rotates, because the machine's speed changes
 * within seconds. A round before these is not kept: it fills the caches, and brings the connections' own paths up.
 */
export async function takeTurns<N extends string, M>(
  names: readonly N[],
  rounds: number,
  measure: (name: N) => Promise<M>,
): Promise<Record<N, M[]>> {
  const kept = Object.fromEntries(names.map((name) => [name, [] as M[]])) as Record<N, M[]>;
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length] as N;
      const measured = await measure(name);
      if (round > 0) kept[name].push(measured);
    }
  }
  return kept;
}
