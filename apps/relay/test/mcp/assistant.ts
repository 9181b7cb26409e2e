import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, ClientOptions } from '@modelcontextprotocol/client';
import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import type { Pairing } from '@tabletop-relay/testing/scenes';

/** The revisions of the protocol that programs speak: the newest by what the relay says, and those before it. */
export const eras = { newest: { mode: 'auto' }, 'of 2025': { mode: 'legacy' } } as const;

interface AssistantOptions extends ClientOptions {
  /** Behind `/mcp`. */
  at?: string;
  headers?: Record<string, string>;
  era?: keyof typeof eras;
}

/** Connects as the programs of assistants do, with the library that they have. */
export async function connectAssistant(
  url: string,
  key: string,
  options: AssistantOptions = {},
): Promise<Client> {
  const { at = '', headers = { authorization: `Bearer ${key}` }, era = 'newest', ...more } = options;
  const client = new Client(
    { name: 'Test assistant', version: '1.2' },
    { versionNegotiation: eras[era], ...more },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${at}`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

export interface Told {
  isError: boolean;
  /** All of it, as the model reads it. */
  text: string;
  /** The JSON in it. */
  data: Record<string, unknown>;
  content: CallToolResult['content'];
}

/** Calls a tool, and reads what its model would. */
export async function ask(client: Client, name: string, given: object = {}, meta?: object): Promise<Told> {
  const result = await client.callTool({
    name,
    arguments: given as Record<string, unknown>,
    ...(meta ? { _meta: meta as Record<string, unknown> } : {}),
  });
  const { content, isError = false } = result;
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { isError, text, content, data: JSON.parse(/^[{[].*$/m.exec(text)?.[0] ?? '{}') as Told['data'] };
}

/** The demo world, as a module of its own. A fresh one answers each command as the world is at its start. */
export async function connectDemoWorld(
  relayUrl: string,
  pairing: Pairing,
  { isFresh = false } = {},
): Promise<TabletopModule> {
  const fresh = () => createWorld({ seed: 1 });
  const world = fresh();
  const module = createWorldModule(
    isFresh ? { ...world, receive: (asked) => fresh().receive(asked) } : world,
    {
      storage: memoryStorage({
        clientId: pairing.clientId,
        connectionToken: pairing.token,
        pairedRelayUrl: relayUrl,
      }),
    },
  );
  await module.connect();
  return module;
}
