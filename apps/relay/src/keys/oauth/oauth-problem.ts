import { oauthErrors } from '@tabletop-relay/contract';
import type { OAuthErrorCode } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';

/** A failure that is told in the words of OAuth's standards. Its code in our logs is `invalid_request`. */
export const oauthProblem = (
  oauth: OAuthErrorCode,
  detail: string = oauthErrors[oauth].description,
  headers: Record<string, string> = {},
): ProblemError => new ProblemError('invalid_request', detail, { oauth, headers });

/** What a failure is called there. */
export function oauthErrorOf({ code, oauth, status }: ProblemError): {
  error: OAuthErrorCode;
  status: number;
} {
  if (oauth) return { error: oauth, status: oauthErrors[oauth].status };
  if (isOAuthError(code)) return { error: code, status };
  if (status === 503) return { error: 'temporarily_unavailable', status };
  if (invalidGrantCodes.has(code)) return { error: 'invalid_grant', status: 400 };
  return { error: 'invalid_request', status: 400 };
}

const isOAuthError = (code: string): code is OAuthErrorCode => Object.hasOwn(oauthErrors, code);

/** Of the account in whose name a token is asked for, and of its worlds and keys. */
const invalidGrantCodes: ReadonlySet<string> = new Set([
  'session_invalid', 'account_disabled', 'rotation_required', 'conflict', 'client_not_found', 'not_found',
]); // prettier-ignore
