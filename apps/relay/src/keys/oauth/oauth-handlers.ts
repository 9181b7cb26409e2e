import type { oauthEndpoints, signInRequestEndpoints } from '@tabletop-relay/contract';
import { createSealer } from '@tabletop-relay/database';
import type { RelaySecrets } from '@tabletop-relay/database';
import type { Quotas } from '@tabletop-relay/limits';
import { createAddressGuard } from '@tabletop-relay/outbound';
import { createSeenSecrets } from '../../credentials/seen-secrets.ts';
import type { HandlersOf } from '../../endpoint-handler.ts';
import type { AccountLimits } from '../../limits/limits.ts';
import { createUnknownSecretLimit } from '../../limits/unknown-secret-limit.ts';
import type { KeyBounds } from '../bounds.ts';
import { readRecentKeys } from '../store/read-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import { authorize } from './authorize.ts';
import { createClientDocuments } from './client-documents.ts';
import { createRegisteredClients } from './clients.ts';
import { approveSignInRequest, denySignInRequest, showSignInRequest } from './decide.ts';
import { resourceDocument, serverDocument } from './documents.ts';
import type { Tokens } from './grants.ts';
import { readIssuer } from './issuer.ts';
import { giveTokens, revokeToken } from './token.ts';
import type { TokenDeps } from './token.ts';

export interface OAuthDeps extends ApiKeyDeps {
  bounds: KeyBounds;
  quotas: Quotas;
  limits: AccountLimits;
  secrets: RelaySecrets;
  settings: { clientDocuments: 'on' | 'off'; outboundAllow: readonly string[] };
}

export function oauthHandlers(
  deps: OAuthDeps,
): HandlersOf<typeof oauthEndpoints> & HandlersOf<typeof signInRequestEndpoints> {
  const { settings, limits, quotas } = deps;
  const clients = createRegisteredClients(deps.secrets);
  const guard = createAddressGuard({ allow: settings.outboundAllow });
  const takesDocuments = settings.clientDocuments === 'on';
  const documents = takesDocuments ? createClientDocuments({ ...deps, guard }) : undefined;
  const asking = { ...deps, clients, documents, sealer: createSealer(deps.secrets) };
  const tokenDeps: TokenDeps = {
    ...deps,
    failures: createUnknownSecretLimit(limits.oauthToken, quotas, 'oauthToken'),
    seen: createSeenSecrets({ readRecent: (count) => readRecentKeys(deps.db, count) }),
  };
  const describeResource = (publicUrl: string) => resourceDocument(readIssuer(publicUrl));

  return {
    oauthResource: (_input, { publicUrl }) => describeResource(publicUrl),
    oauthMcpResource: (_input, { publicUrl }) => describeResource(publicUrl),
    oauthServer: (_input, { publicUrl }) => serverDocument(readIssuer(publicUrl), { takesDocuments }),

    oauthRegister({ body }, { publicUrl }) {
      readIssuer(publicUrl);
      const { clientId, secret, client } = clients.register(body);
      return {
        client_id: clientId,
        client_id_issued_at: Math.floor(deps.now() / 1_000),
        ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
        token_endpoint_auth_method: client.auth,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
    },

    oauthAuthorize: ({ query }, caller) => authorize(asking, query, caller),

    async oauthToken({ body, headers: { authorization } }, { sender, publicUrl }) {
      return describe(await giveTokens(tokenDeps, body, { sender, publicUrl, authorization }));
    },

    async oauthRevoke({ body, headers: { authorization } }, { sender, publicUrl }) {
      await revokeToken(tokenDeps, body, { sender, publicUrl, authorization });
      return {};
    },

    getSignInRequest: ({ query: { code } }, caller) => showSignInRequest(asking, code, caller),

    approveSignInRequest: ({ body: { code, ...approval } }, decider) =>
      approveSignInRequest(asking, code, { approval, decider }),

    denySignInRequest: ({ body: { code } }, decider) => denySignInRequest(asking, code, decider),
  };
}

const describe = ({ access, refresh, expiresInS, scopes }: Tokens) => ({
  access_token: access,
  token_type: 'Bearer' as const,
  expires_in: expiresInS,
  ...(refresh !== undefined && { refresh_token: refresh }),
  scope: scopes.join(' '),
});
