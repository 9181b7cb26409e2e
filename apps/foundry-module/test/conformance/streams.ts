import { waitFor } from '@tabletop-relay/testing';

/** What a stream of the relay brought: the names of its events with their data. */
export interface Heard {
  events: { name: string; data: Record<string, unknown> }[];
  stop(): Promise<void>;
}

/** Listens to a channel of a world; resolves once the relay has told that it does. */
export async function listen(address: string, masterKey: string): Promise<Heard> {
  const abort = new AbortController();
  const response = await fetch(address, {
    headers: { 'x-api-key': masterKey, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status} ${await response.text()}`);
  const heard: Heard['events'] = [];
  const ended = read(response.body!.pipeThrough(new TextDecoderStream()), (name, data) =>
    heard.push({ name, data }),
  ).catch(() => undefined);
  await waitFor(() => heard.some(({ name }) => name === 'connected'));
  return {
    events: heard,
    async stop() {
      abort.abort();
      await ended;
    },
  };
}

async function read(
  body: ReadableStream<string>,
  tell: (name: string, data: Record<string, unknown>) => void,
): Promise<void> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const name = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      if (name) tell(name, JSON.parse(data ?? '{}') as Record<string, unknown>);
      text = text.slice(end + 2);
    }
  }
}
