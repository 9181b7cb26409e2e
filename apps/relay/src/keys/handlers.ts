import {
  apiKeyEndpoints,
  keyRequestEndpoints,
  oauthEndpoints,
  signInRequestEndpoints,
} from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { oauthHandlers } from './oauth/oauth-handlers.ts';
import type { OAuthDeps } from './oauth/oauth-handlers.ts';
import { keyRequestHandlers } from './requests/key-request-handlers.ts';
import type { KeyRequestDeps } from './requests/key-request-handlers.ts';

/** The endpoints of this room. */
export function serveKeys(deps: KeyRequestDeps & OAuthDeps): ServedEndpoint[] {
  return [
    ...serve(apiKeyEndpoints, apiKeyHandlers(deps)),
    ...serve(keyRequestEndpoints, keyRequestHandlers(deps)),
    ...serve({ ...oauthEndpoints, ...signInRequestEndpoints }, oauthHandlers(deps)),
  ];
}
