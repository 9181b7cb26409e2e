export const minuteMs = 60_000;

/** Lets one message through in each period: a connection that is dialled again each second fails each second. */
export function tellOncePer(ms: number, tell: (message: string) => void): (message: string) => void {
  let loggedAt = -Infinity;
  return (message) => {
    const now = performance.now();
    if (now - loggedAt < ms) return;
    loggedAt = now;
    tell(message);
  };
}
