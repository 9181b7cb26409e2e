import path from 'node:path';

/** The folder of the dashboard’s build in this workspace. */
export const builtHere = path.join(import.meta.dirname, '../../../../dashboard/dist');

/** Nothing but our own files and our own API; no inline script or style, no frame around us. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What stands on every page. */
export const pageHeaders = {
  'content-security-policy': policy,
  // For browsers that do not know the policy's word for it.
  'x-frame-options': 'DENY',
  // No page of another site shares a process or a window handle with ours, or embeds our files.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};
