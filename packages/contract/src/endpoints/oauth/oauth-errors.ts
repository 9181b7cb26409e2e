import { Type } from 'typebox';

interface OAuthErrorEntry {
  status: 400 | 401 | 404 | 413 | 415 | 429 | 503;
  /** When it is answered, and what to do. */
  description: string;
}

/**
 * The failures of the endpoints that OAuth's standards describe, in their shape: RFC 6749, section 5.2, RFC 7591, section 3.2.2, and
 * RFC 8707, section 2.
 */
export const oauthErrors = {
  invalid_request: {
    status: 400,
    description: 'Something is missing, given twice, or not readable. `error_description` names it.',
  },
  invalid_client: {
    status: 401,
    description:
      'The client is not known, or did not show its secret as it was registered to. Remove the connector and add it again.',
  },
  invalid_grant: {
    status: 400,
    description:
      'The code or the refresh token is unknown, used, over, or another client’s; or its account or sign-in has ended. Ask the person to sign in again.',
  },
  unsupported_grant_type: {
    status: 400,
    description: '`grant_type` is neither `authorization_code` nor `refresh_token`.',
  },
  invalid_target: {
    status: 400,
    description: '`resource` is another address than `/mcp` of this relay.',
  },
  invalid_redirect_uri: {
    status: 400,
    description:
      'No redirect URI of the registration is taken: https, http on this machine, or a program’s own that the relay knows, without user and fragment.',
  },
  invalid_client_metadata: {
    status: 400,
    description: 'The registration is too large, or asks for what is not offered.',
  },
  not_offered: {
    status: 404,
    description: 'Over plain http nobody signs in, but on the machine itself: PUBLIC_URL has to be https.',
  },
  payload_too_large: { status: 413, description: 'The body is larger than is read.' },
  unsupported_media_type: {
    status: 415,
    description: 'The body is another than the endpoint takes: a form, or JSON for a registration.',
  },
  rate_limited: { status: 429, description: 'Too many failures. `Retry-After` says how long to wait.' },
  temporarily_unavailable: {
    status: 503,
    description: 'A store of the relay is away. `Retry-After` says how long to wait.',
  },
} as const satisfies Record<string, OAuthErrorEntry>;

export type OAuthErrorCode = keyof typeof oauthErrors;

/** The body of such a failure. */
export const OAuthError = Type.Object(
  {
    error: Type.Enum(Object.keys(oauthErrors) as OAuthErrorCode[]),
    error_description: Type.String({ description: 'What happened and what to do.' }),
  },
  { title: 'OAuthError' },
);
