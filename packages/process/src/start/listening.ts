export type Listening = NodeJS.ErrnoException & { port?: number; address?: string };

/** Why a port cannot be had, and which setting to change. */
export function explainListening({ code, message, port, address }: Listening, setting: string): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; set ${setting} to another`;
  if (code === 'EACCES') return `port ${port} needs rights that this user lacks; set ${setting} above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${address ?? 'HOST'} is no address of this machine; correct HOST`;
  return message;
}
