import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, Operation } from '@tabletop-relay/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { asProblem, judgeCall } from '../problem.ts';
import type { ProblemError } from '../problem.ts';
import { frame } from './answer-text.ts';

const outcomes = {
  not_sent: 'Nothing was sent to the world.',
  unknown: 'It may have happened: look before you repeat it.',
} as const;

/** A failure as an assistant reads it: its code, what happened, what became of the command and what to do. */
export function failureOf(error: unknown, kind?: Operation['kind']): CallToolResult {
  const problem = asProblem(error);
  const { code, message, fields } = problem;
  const judged = { ...judgeCall(code, kind), ...fields };
  const { outcome, retryable, ...more } = judged;
  const waitS = Number(problem.headers['retry-after'] ?? 0);
  const text = JSON.stringify({
    code,
    detail: message,
    ...(kind !== undefined && outcome ? { outcome, meaning: outcomes[outcome] } : {}),
    do: whatToDo(problem, retryable, waitS),
    ...more,
  });
  return failure(quotesWorld.has(code) ? frame(text) : text);
}

/** What their details hold was written by a world: why it refused, what it answered instead, how it is called. */
const quotesWorld: ReadonlySet<ErrorCode> = new Set([
  'operation_failed',
  'client_bad_reply',
  'client_required',
]);

export const failure = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text }],
});

/** Where the words of the catalogue speak of HTTP, or of a person. */
const byTools = {
  client_not_found: 'Look for the right id with `worlds`.',
  client_required: 'Give the id of one of them as `world`.',
  forbidden: 'Do not repeat it. Tell the person what it needs.',
  scope_missing: 'Do not repeat it. Tell the person which permission the key lacks.',
} as const;

function whatToDo({ code, message }: ProblemError, retryable: boolean | undefined, waitS: number): string {
  if (retryable) return waitS > 0 ? `Repeat it in ${waitS} s.` : 'Repeat it once.';
  if (Object.hasOwn(byTools, code)) return byTools[code as keyof typeof byTools];
  const { description } = errors[code];
  return description === message ? 'Do not repeat it as it is.' : description;
}
