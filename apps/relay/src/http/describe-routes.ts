import type { ErrorCode } from '@tabletop-relay/contract';
import { problemResponses } from '../calls/operation-schema.ts';
import type { AccountApp } from '../accounts/deps.ts';

/** Adds to each route of this scope what the OpenAPI document says of them all: tag, security, problems. */
export function describeRoutes(
  app: AccountApp,
  tag: string,
  { needsSession }: { needsSession: boolean },
): void {
  app.addHook('onRoute', (route) => {
    const { schema = {}, config } = route;
    // A body is read and parsed whether or not the route has a use for it.
    const takesBody = route.method !== 'GET' && route.method !== 'HEAD';
    const codes: ErrorCode[] = [
      // NUL is refused in the query of every route.
      'invalid_request',
      ...(takesBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
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
