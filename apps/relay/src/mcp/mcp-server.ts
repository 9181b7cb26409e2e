import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import { toPlainText } from '@tabletop-relay/kit';
import { createCallTool } from './call-tool.ts';
import type { CallToolDeps, Session } from './call-tool.ts';
import {
  instructions,
  promptOf,
  prompts,
  resourceOf,
  resources,
  resourceTemplates,
  toolOfResource,
} from './offers.ts';

/** Makes the session of one request. `program` is what calls itself so; empty where it does not. */
export type OpenSession = (program: string) => Session;

export interface McpServerDeps extends CallToolDeps {
  version: string;
}

/** Answers one message of the Model Context Protocol, of its newest revision or of those before. Keeps nothing of it. */
export type ServeMcp = (request: Request, body: unknown, open: OpenSession) => Promise<Response>;

/** What is listed changes with the key alone, so programs may keep it a while. */
const listed = { ttlMs: 300_000, cacheScope: 'private' } as const;

const maxProgram = 100;

export function createServeMcp({ version, ...deps }: McpServerDeps): ServeMcp {
  const { catalog, confirmation, log } = deps;
  const callTool = createCallTool(deps);

  // oxlint-disable-next-line typescript/no-deprecated -- The low level is for those who have JSON Schemas already.
  function serverFor(open: OpenSession): Server {
    // oxlint-disable-next-line typescript/no-deprecated -- As above.
    const server = new Server(
      { name: 'tabletop-relay', title: 'Tabletop Relay', version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions,
        cacheHints: {
          'tools/list': listed,
          'prompts/list': listed,
          'resources/list': listed,
          'resources/templates/list': listed,
          'server/discover': listed,
        },
        requestState: { verify: confirmation.verify },
      },
    );
    const sessionOf = (context: ServerContext) => open(programOf(context));
    server.setRequestHandler('tools/list', (_request, context) => ({
      tools: catalog.tools(sessionOf(context)) as Tool[],
    }));
    server.setRequestHandler('tools/call', async ({ params }, context) =>
      callTool(sessionOf(context), params, context),
    );
    server.setRequestHandler('prompts/list', () => ({ prompts }));
    server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments));
    server.setRequestHandler('resources/list', () => ({ resources }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
      const result = await callTool(sessionOf(context), toolOfResource(uri), context);
      const { content, isError } = result as CallToolResult;
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, text);
      return resourceOf(uri, text);
    });
    return server;
  }

  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['open'] as OpenSession), {
    onerror: (error) => log.debug({ err: error }, 'a message of an assistant was refused'),
  });

  return (request, body, open) =>
    handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: '', scopes: [], extra: { open } },
    });
}

interface Envelope {
  [CLIENT_INFO_META_KEY]?: { name?: unknown; title?: unknown; version?: unknown };
}

/** What a program calls itself, in the revisions in which each message says so. */
function programOf({ mcpReq: { envelope } }: ServerContext): string {
  const own: Envelope | undefined = envelope;
  const info = own?.[CLIENT_INFO_META_KEY];
  const text = [info?.title ?? info?.name, info?.version]
    .filter((part) => typeof part === 'string')
    .join(' ');
  return toPlainText(text.slice(0, maxProgram));
}
