import type { Environment } from '@tabletop-relay/process';
import { parseArgs } from 'node:util';
import { examine, renderFindings } from './doctor.ts';

/** `pnpm admin doctor`: what to print, and whether all is well enough. Throws where the arguments are none of its own. */
export async function runDoctor(
  env: Environment,
  args: readonly string[],
): Promise<{ text: string; isWell: boolean }> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, session: { type: 'string' } },
  });
  const findings = await examine({ env, ...(values.session !== undefined && { session: values.session }) });
  const text = values.json ? JSON.stringify({ findings }, undefined, 2) : renderFindings(findings);
  return { text, isWell: findings.every(({ state }) => state !== 'problem') };
}
