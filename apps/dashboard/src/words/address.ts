/** An address without the port that the connection came from, which tells nobody anything: `[2001:db8::1]:443` is `2001:db8::1`. */
export function withoutPort(address: string): string {
  const [, bracketed, plain] = /^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
}

/** Whether a page is reached as this machine itself. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
