import type { RequestFailed } from '../request.ts';
import { duration } from '../words/relative-time.ts';

/** What went wrong and what to do; room for it is taken only when there is something to say. */
export function ProblemNotice({ problem }: { problem: RequestFailed | undefined }) {
  return (
    <div role="alert">
      {problem && (
        <p class="notice bad">
          <strong>{problem.title}.</strong> {sentence(problem)}
        </p>
      )}
    </div>
  );
}

function sentence({ message, retryAfterS, traceId, fields }: RequestFailed): string {
  const said =
    fields.length > 0
      ? `${fields.map(({ field, message }) => `${words[field] ?? field} ${message}`).join('; ')}.`
      : message;
  const wait = retryAfterS && retryAfterS > 1 ? ` Try again in ${duration(retryAfterS)}.` : '';
  return `${said}${wait}${traceId ? ` Report it with the number ${traceId}.` : ''}`;
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
};
