import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server';
import type { InputRequiredResult, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import type { RelaySecrets } from '@tabletop-relay/database';
import { createHash, createHmac } from 'node:crypto';

/** A command that cannot be taken back, as its person is asked about it. */
export interface AskedCommand {
  /** Whose question it is: the id of the key. */
  keyId: string;
  operation: string;
  world: string | undefined;
  /** The user to whom the address is bound. */
  user: string | undefined;
  payload: unknown;
}

/** `asked`: to be answered to the program, which repeats the call with its person's word. */
export type Verdict = 'confirmed' | 'declined' | { asked: InputRequiredResult };

export interface Confirmation {
  /** Whether the program of this request can ask its person. */
  canAsk(context: ServerContext): boolean;
  /** `words` says what is about to happen; it is read only where it has to be asked. */
  confirm(context: ServerContext, command: AskedCommand, words: () => Promise<string>): Promise<Verdict>;
  /** Checks what a program brings back; rejects where it is not what it was given lately. */
  verify(state: string, context: ServerContext): Promise<string>;
}

/** What each message of the newest revision says of its program. */
interface Envelope {
  [CLIENT_CAPABILITIES_META_KEY]?: { elicitation?: { form?: object; url?: object } };
}

const askedSeconds = 300;

/** Nothing is kept of a question: what was asked goes with it, signed, and any instance can read it. */
export function createConfirmation(secrets: RelaySecrets): Confirmation {
  const [first, ...older] = secrets.map(codecOf) as [Codec, ...Codec[]];

  return {
    canAsk(context) {
      const envelope: Envelope | undefined = context.mcpReq.envelope;
      const elicitation = envelope?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
      // One that names no form of asking means the form.
      return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    },
    async confirm(context, command, words) {
      const digest = digestOf(command);
      const answered = context.mcpReq.inputResponses?.['confirm'];
      if (context.mcpReq.requestState<string>() === digest && answered !== undefined) {
        const content = acceptedContent<{ confirm?: unknown }>(context.mcpReq.inputResponses, 'confirm');
        return content?.confirm === true ? 'confirmed' : 'declined';
      }
      const confirm = inputRequired.elicit({ message: await words(), requestedSchema });
      return {
        asked: inputRequired({
          inputRequests: { confirm },
          requestState: await first.mint(digest),
        }),
      };
    },
    async verify(state, context) {
      for (const codec of older) {
        const read = await codec.verify(state, context).catch(() => undefined);
        if (read !== undefined) return read;
      }
      return await first.verify(state, context);
    },
  };
}

type Codec = RequestStateCodec<string>;

const codecOf = (secret: string): Codec =>
  createRequestStateCodec<string>({
    key: createHmac('sha256', secret).update('mcp confirmation').digest(),
    ttlSeconds: askedSeconds,
  });

const requestedSchema = {
  type: 'object' as const,
  properties: {
    confirm: { type: 'boolean' as const, title: 'Do it', description: 'It cannot be taken back.' },
  },
  required: ['confirm'],
};

function digestOf({ keyId, operation, world, user, payload }: AskedCommand): string {
  const text = JSON.stringify([keyId, operation, world ?? '', user ?? '', payload]);
  return createHash('sha256').update(text).digest('base64url');
}
