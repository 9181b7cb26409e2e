/** The status of a request that a person decides. One that nobody decided, or collected, in time has expired. */
export function statusOf<S extends string>(
  request: { status: S; expiresAt: Date },
  now: number,
): S | 'expired' {
  const isOpen = request.status === 'pending' || request.status === 'approved';
  return isOpen && request.expiresAt.getTime() <= now ? 'expired' : request.status;
}
