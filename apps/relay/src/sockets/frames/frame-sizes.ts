/** A size for people: in MiB where it is a whole number of them. */
export function inWords(bytes: number): string {
  const mib = bytes / 1_048_576;
  return Number.isInteger(mib) ? `${mib} MiB` : `${bytes} bytes`;
}

/** What a world sent that `ws` does not take for its size, by the code of its error. Undefined for any other error. */
export function refusedMessage(code: string | undefined, maxBytes: number): string | undefined {
  switch (code) {
    case 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH':
    // More than any number.
    case 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH':
      return `sent a message above ${inWords(maxBytes)}`;
    case 'WS_ERR_TOO_MANY_BUFFERED_PARTS':
      return 'sent a message in too many parts';
    default:
      return undefined;
  }
}

/** The code with which `ws` itself closes a connection for a frame that it does not take, by the code of its error. */
export function endCodeOf(code: string | undefined): number | undefined {
  if (code === undefined || !code.startsWith('WS_ERR_')) return undefined;
  if (code === 'WS_ERR_INVALID_UTF8') return 1007;
  if (code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') return 1008;
  return refusedMessage(code, 0) === undefined ? 1002 : 1009;
}
