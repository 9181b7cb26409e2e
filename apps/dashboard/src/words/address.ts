/** An address without the port that the connection came from, which tells nobody anything: `[2001:db8::1]:443` is `2001:db8::1`. */
export function withoutPort(address: string): string {
  const [, bracketed, plain] = /^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
}
