/** What a check found. A problem keeps the relay from working as promised; a warning may be meant. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** What to do about it. */
  cure?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });

export const warning = (check: string, detail: string, cure: string): Finding => ({
  check,
  state: 'warning',
  detail,
  cure,
});

export const problem = (check: string, detail: string, cure: string): Finding => ({
  check,
  state: 'problem',
  detail,
  cure,
});

/** What an error says, without the address that it was told: that may hold a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (code === undefined && cause !== undefined) return reasonOf(cause);
  return (message || code || String(error)).replaceAll(/\/\/[^@\s/]*@/g, '//').slice(0, 200);
}
