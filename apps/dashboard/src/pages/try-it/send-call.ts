import { RelayError } from '@tabletop-relay/sdk';
import type { CallAnswer } from './answer.tsx';
import { requestOf } from './code/api-call.ts';
import type { ApiCall } from './code/api-call.ts';

/** Makes the call as a program would, with the key alone. Whatever the relay answers is an answer. */
export async function sendCall(call: ApiCall, apiKey: string): Promise<CallAnswer> {
  const { method, path, body } = requestOf(call);
  const isCommand = call.operation.kind === 'command';
  const startedAt = performance.now();
  try {
    const response = await fetch(path, {
      method,
      credentials: 'omit',
      // A file comes as JSON too, so that the answer can be shown as text.
      headers: {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const tookMs = performance.now() - startedAt;
    return {
      status: response.status,
      operation: call.operation,
      requestId: response.headers.get('x-request-id') ?? '',
      tookMs,
      bytes: new Blob([text]).size,
      body: parsed(text),
    };
  } catch (cause) {
    throw new RelayError({
      code: 'connection_failed',
      detail: 'The call was not answered.',
      outcome: isCommand ? 'unknown' : undefined,
      cause,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
