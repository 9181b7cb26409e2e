import { signInScopes } from '@tabletop-relay/contract';
import { resourceOf } from './issuer.ts';

/** RFC 9728. */
export const resourceDocument = (issuer: string) => ({
  resource: resourceOf(issuer),
  authorization_servers: [issuer],
  scopes_supported: [...signInScopes],
  bearer_methods_supported: ['header' as const],
  resource_name: 'Tabletop Relay',
  resource_documentation: `${issuer}/guides/assistants`,
});

/** RFC 8414. */
export function serverDocument(issuer: string, { takesDocuments }: { takesDocuments: boolean }) {
  const auth = ['none' as const, 'client_secret_post' as const, 'client_secret_basic' as const];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...signInScopes],
    response_types_supported: ['code' as const],
    response_modes_supported: ['query' as const],
    grant_types_supported: ['authorization_code' as const, 'refresh_token' as const],
    code_challenge_methods_supported: ['S256' as const],
    token_endpoint_auth_methods_supported: auth,
    revocation_endpoint_auth_methods_supported: auth,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: takesDocuments,
    service_documentation: `${issuer}/guides/assistants`,
  };
}
