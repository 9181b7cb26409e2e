import type { FieldError } from '@tabletop-relay/contract';
import type { RelayError } from '@tabletop-relay/sdk';
import { duration } from '../words/relative-time.ts';

/** Says what went wrong and what to do. It takes no room while there is nothing to say. */
export function ProblemNotice({ problem }: { problem: RelayError | undefined }) {
  return (
    <div role="alert">
      {problem && (
        <p class="notice bad">
          <strong>{problem.problem?.title ?? 'No answer'}.</strong> {sentence(problem)}
        </p>
      )}
    </div>
  );
}

function sentence({ problem, retryAfterMs = 0, detail, code, traceId }: RelayError): string {
  if (!problem) return 'The relay does not answer. Check your connection and try again.';
  const fields = problem.errors ?? [];
  const said = fields.length > 0 ? `${fields.map(inWords).join('; ')}.` : detail;
  const wait = retryAfterMs > 1_000 ? ` Try again in ${duration(retryAfterMs / 1_000)}.` : '';
  return `${said}${wait}${code === 'internal' ? ` Report it with the number ${traceId}.` : ''}`;
}

const inWords = ({ field, message }: FieldError) => `${words[field] ?? field} ${message}`;

/** What is wrong with one field, to be shown at it. */
export function messageAt(problem: RelayError | undefined, field: string): string | undefined {
  const fault = problem?.problem?.errors?.find((error) => error.field === field);
  return fault && `${inWords(fault)}.`;
}

const words: Record<string, string> = {
  email: 'The e-mail address',
  password: 'The password',
  newPassword: 'The new password',
  currentPassword: 'The current password',
  token: 'This link',
  ipAllowlist: 'The list of addresses',
  monthlyLimit: 'The monthly limit',
  expiresAt: 'The expiry date',
  scopes: 'The list of permissions',
  name: 'The name',
  code: 'The code',
  credential: 'The passkey',
  tabletopUrl: 'The address of the tabletop',
  username: 'The user',
  worldName: 'The world',
};
