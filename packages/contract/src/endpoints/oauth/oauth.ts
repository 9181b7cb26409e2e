import { Type } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { scopeNames } from '../../scopes.ts';

const text = (description: string, maxLength = 2_100) =>
  Type.Optional(Type.String({ description, maxLength }));

/** Standards tell servers to ignore what they do not know. */
const open = { additionalProperties: true };

const scopesSupported = Type.Array(Type.Enum(scopeNames));

const clientAuth = ['none', 'client_secret_post', 'client_secret_basic'] as const;

const ProtectedResource = Type.Object(
  {
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    scopes_supported: scopesSupported,
    bearer_methods_supported: Type.Array(Type.Enum(['header'])),
    resource_name: Type.String(),
    resource_documentation: Type.String(),
  },
  { title: 'ProtectedResource', description: 'RFC 9728.' },
);

const resourceDocument = {
  method: 'GET',
  summary: 'Tell who signs programs in for `/mcp`',
  auth: 'none',
  origin: 'any',
  speaks: 'oauth',
  answer: ProtectedResource,
} as const;

const secret = text('Of a client that was registered with one.', 200);
const clientId = text('The id of the registration, or the address of the client’s own document.');

const headers = Type.Object({
  authorization: Type.Optional(
    Type.String({ description: '`Basic`, for clients that were registered with `client_secret_basic`.' }),
  ),
});

const Tokens = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Enum(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.Optional(
      Type.String({
        description:
          'In the place of the one before, which may be exchanged once more for two minutes: then for an access token alone.',
      }),
    ),
    scope: Type.String({ description: 'What the person has chosen, whatever was asked for.' }),
  },
  { title: 'OAuthTokens' },
);

/** What programs of assistants call by the standards. People meet none of it but `/oauth/authorize`. */
export const oauthEndpoints = {
  oauthResource: { ...resourceDocument, path: '/.well-known/oauth-protected-resource' },
  oauthMcpResource: { ...resourceDocument, path: '/.well-known/oauth-protected-resource/mcp' },
  oauthServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Tell what the authorization server offers',
    description:
      'RFC 8414. The issuer is PUBLIC_URL; without it the address of the request, on the machine itself.',
    auth: 'none',
    origin: 'any',
    speaks: 'oauth',
    answer: Type.Object(
      {
        issuer: Type.String(),
        authorization_endpoint: Type.String(),
        token_endpoint: Type.String(),
        registration_endpoint: Type.String(),
        revocation_endpoint: Type.String(),
        scopes_supported: scopesSupported,
        response_types_supported: Type.Array(Type.Enum(['code'])),
        response_modes_supported: Type.Array(Type.Enum(['query'])),
        grant_types_supported: Type.Array(Type.Enum(['authorization_code', 'refresh_token'])),
        code_challenge_methods_supported: Type.Array(Type.Enum(['S256'])),
        token_endpoint_auth_methods_supported: Type.Array(Type.Enum([...clientAuth])),
        revocation_endpoint_auth_methods_supported: Type.Array(Type.Enum([...clientAuth])),
        authorization_response_iss_parameter_supported: Type.Boolean(),
        client_id_metadata_document_supported: Type.Boolean(),
        service_documentation: Type.String(),
      },
      { title: 'AuthorizationServer' },
    ),
  },
  oauthRegister: {
    method: 'POST',
    path: '/oauth/register',
    summary: 'Register a client',
    description:
      'RFC 7591. The relay keeps nothing of it: the id is the registration itself, signed. Redirect URIs that are not taken are left out; where none is left, the registration is refused.',
    auth: 'none',
    origin: 'any',
    speaks: 'oauth',
    limit: 'oauthRegister',
    status: 201,
    secretAnswer: true,
    body: Type.Object(
      {
        redirect_uris: Type.Array(Type.String(), { description: 'Six at most are taken.', maxItems: 50 }),
        client_name: Type.Optional(Type.String({ maxLength: 1_000 })),
        token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: 100 })),
      },
      open,
    ),
    answer: Type.Object(
      {
        client_id: Type.String(),
        client_id_issued_at: Type.Integer(),
        client_secret: Type.Optional(Type.String()),
        client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: never.' })),
        client_name: Type.String(),
        redirect_uris: Type.Array(Type.String()),
        token_endpoint_auth_method: Type.Enum([...clientAuth]),
        grant_types: Type.Array(Type.String()),
        response_types: Type.Array(Type.String()),
      },
      { title: 'RegisteredClient' },
    ),
  },
  oauthAuthorize: {
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Lead a person to the page on which the program is let in',
    description:
      'RFC 6749 with PKCE (S256). Browsers open it, by a link of the program. Whatever is wrong leads to a page of the relay, and never to the program. The relay keeps nothing of the request: the address of the page holds it, sealed, for ten minutes.',
    auth: 'none',
    origin: 'link',
    speaks: 'oauth',
    query: Type.Object(
      {
        response_type: text('`code`.', 100),
        client_id: clientId,
        redirect_uri: text('One that was registered, letter by letter; on the machine itself at any port.'),
        state: text('Comes back as it is.', 4_000),
        scope: text(
          'With spaces between. What is not known, and what nobody is given here, is left out.',
          4_000,
        ),
        code_challenge: text('Base64url of the SHA-256 of the verifier.', 200),
        code_challenge_method: text('`S256`.', 100),
        resource: text(
          'RFC 8707: `/mcp` of this relay, with or without what narrows it; the same if left out.',
        ),
      },
      open,
    ),
    answer: {
      leadsTo: 'The page on which the person decides, or one that says why there is none.',
    },
    noHead: true,
  },
  oauthToken: {
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a code or a refresh token',
    description:
      'RFC 6749. Access tokens live for an hour and are good at `/mcp` alone; refresh tokens live for 90 days and are exchanged for a new one each time. A code or a refresh token that is used again ends the sign-in.',
    auth: 'none',
    origin: 'any',
    speaks: 'oauth',
    form: true,
    limit: 'oauthToken',
    secretAnswer: true,
    headers,
    body: Type.Object(
      {
        grant_type: text('`authorization_code` or `refresh_token`.', 100),
        code: text('From `/oauth/authorize`; works once, within 60 seconds.', 100),
        redirect_uri: text('As at `/oauth/authorize`.'),
        code_verifier: text('The text of the challenge.', 200),
        refresh_token: text('The last one.', 100),
        client_id: clientId,
        client_secret: secret,
        resource: text('As at `/oauth/authorize`.'),
      },
      open,
    ),
    answer: Tokens,
  },
  oauthRevoke: {
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'End a sign-in',
    description: 'RFC 7009. Either token ends all of it. A token that is not known is answered likewise.',
    auth: 'none',
    origin: 'any',
    speaks: 'oauth',
    form: true,
    limit: 'oauthToken',
    headers,
    body: Type.Object(
      {
        token: text('An access token or a refresh token.', 100),
        token_type_hint: text('Not needed.', 100),
        client_id: clientId,
        client_secret: secret,
      },
      open,
    ),
    answer: Type.Object({}),
  },
} as const satisfies Endpoints;
