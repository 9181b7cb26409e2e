/** A program that talks to assistants, and what it needs to reach the relay. */
export interface AssistantClient {
  name: string;
  /** For the choice. */
  what: string;
  /** Where the lines belong. */
  place: string;
  /** The lines, with this address and key in them. */
  lines(url: string, key: string): string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A bridge of theirs takes the key as one word, because Claude Desktop on Windows cuts a header at its space. */
function bridge(url: string, key: string): string {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  const plain = url.startsWith('http:') && !isLoopback ? ['--allow-http'] : [];
  const args = ['-y', 'mcp-remote', url, '--header', `x-api-key:${key}`, ...plain];
  return json({ mcpServers: { 'tabletop-relay': { command: 'npx', args } } });
}

/** Those whose lines are shown. They differ in how they write the same three things. */
export const assistantClients: readonly AssistantClient[] = [
  {
    name: 'Claude Code',
    what: 'In a terminal.',
    place: 'Run this line.',
    lines: (url, key) =>
      `claude mcp add --transport http tabletop-relay '${url}' --header 'Authorization: Bearer ${key}'`,
  },
  {
    name: 'Claude Desktop',
    what: 'By a bridge: it needs Node.js on your computer.',
    place: 'Settings, Developer, Edit Config: put this into claude_desktop_config.json, and start it again.',
    lines: bridge,
  },
  {
    name: 'Cursor',
    what: 'The editor.',
    place: 'Put this into ~/.cursor/mcp.json.',
    lines: (url, key) => json({ mcpServers: { 'tabletop-relay': { url, headers: bearer(key) } } }),
  },
  {
    name: 'VS Code',
    what: 'The editor, with Copilot’s agent.',
    place: 'Command “MCP: Open User Configuration”: put this into mcp.json.',
    lines: (url, key) => json({ servers: { 'tabletop-relay': { type: 'http', url, headers: bearer(key) } } }),
  },
  {
    name: 'Codex',
    what: 'In a terminal, or its app.',
    place: 'Put this into ~/.codex/config.toml.',
    lines: (url, key) =>
      [
        '[mcp_servers.tabletop-relay]',
        `url = ${JSON.stringify(url)}`,
        `http_headers = { "Authorization" = ${JSON.stringify(`Bearer ${key}`)} }`,
      ].join('\n'),
  },
];

/** The address of assistants on a relay. `query` narrows it. */
export const assistantAddress = (origin: string, query: string): string =>
  `${origin}/mcp${query && `?${query}`}`;
