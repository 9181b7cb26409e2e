/** Modules take the address of the socket alone, and refuse one of http. */
export const relayAddress = `${location.origin.replace(/^http/, 'ws')}/relay`;
