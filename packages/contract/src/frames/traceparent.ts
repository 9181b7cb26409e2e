/**
 * Version, trace, parent and flags as W3C Trace Context has them: lower case, neither id all zeros, and `ff` is no version.
 * What a later version adds behind them is not taken.
 */
export const traceparentPattern =
  '^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$';

const form = new RegExp(traceparentPattern);

/** The value if it is a `traceparent`. Anything else counts as none, as the standard asks. */
export function readTraceparent(value: unknown): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
