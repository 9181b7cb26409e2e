/** What the part of the address behind `#` says. No server ever sees it: browsers keep it to themselves. */
export interface OverlayLink {
  relay: string;
  key: string;
  /** Without it the relay chooses, if the key reaches just one world. */
  client: string | undefined;
}

/** Undefined where relay or key are missing. */
export function readLink(hash: string): OverlayLink | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const [relay, key, client] = ['relay', 'key', 'client'].map((name) => fields.get(name)?.trim());
  if (!relay || !key || !URL.canParse(relay)) return undefined;
  return { relay: relay.replace(/\/+$/, ''), key, client: client || undefined };
}
