/** What an error says, without the address that it was told: that may hold a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (code === undefined && cause !== undefined) return reasonOf(cause);
  return (message || code || String(error)).replaceAll(/\/\/[^@\s/]*@/g, '//').slice(0, 200);
}
