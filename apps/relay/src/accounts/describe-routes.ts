import type { ErrorCode } from '@tabletop-relay/contract';
import { problemResponses } from '../http/operation-schema.ts';
import type { AccountApp } from './deps.ts';

/** Adds to each route of this scope what the OpenAPI document says of them all: tag, security, problems. */
export function describeRoutes(
  app: AccountApp,
  tag: string,
  { needsSession }: { needsSession: boolean },
): void {
  app.addHook('onRoute', (route) => {
    const { schema = {}, config } = route;
    const codes: ErrorCode[] = [
      ...((schema.body ?? schema.querystring ?? schema.params) ? (['invalid_request'] as const) : []),
      ...(schema.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
      ...(needsSession ? (['session_missing', 'session_invalid', 'account_disabled'] as const) : []),
      ...(config?.anyOrigin ? [] : (['origin_refused'] as const)),
      ...(schema.params ? (['not_found'] as const) : []),
      ...(config?.rateLimit ? (['rate_limited'] as const) : []),
      ...(config?.problems ?? []),
      'unavailable',
    ];
    route.schema = {
      tags: [tag],
      ...(needsSession ? { security: [{ session: [] }] } : {}),
      ...schema,
      response: { ...(schema.response as object), ...problemResponses(codes) },
    };
  });
}
