import { defaultTimeoutMs, operations } from '../../packages/contract/src/index.ts';

/**
 * `apps/foundry-module/src/trust/operation-facts.ts`: what the game master's policy goes by, without the schemas of the literals,
 * so that the module loads a few kilobytes and no schema library.
 */
export function operationFacts(): string {
  const lines = operations.map(({ name, scope, effect, timeoutMs }) => {
    const fields = [
      `scope: ${quoted(scope)}`,
      ...(effect ? [`effect: ${quoted(effect)}`] : []),
      ...(timeoutMs === defaultTimeoutMs ? [] : [`timeoutMs: ${timeoutMs}`]),
    ];
    return `  ${quoted(name)}: { ${fields.join(', ')} },`;
  });
  return `import type { Effect, Scope } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/module-sdk';

export const usualTimeoutMs = ${String(defaultTimeoutMs).replace(/000$/, '_000')};

export interface OperationFacts {
  scope: Scope;
  /** Absent for what only reads. */
  effect?: Effect;
  /** How long a caller waits, in ms, where it is not the usual one. */
  timeoutMs?: number;
}

/** Every operation. Generated from the contract by \`pnpm docs:generate\`. */
export const operationFacts: Readonly<Record<OperationName, OperationFacts>> = {
${lines.join('\n')}
};
`;
}

const quoted = (text: string): string => `'${text}'`;
