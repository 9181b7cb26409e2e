/** Opens an event stream; `ended` resolves when it closes. */
export async function openStream(url: string, token: string) {
  const response = await fetch(`${url}/auth/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body?.getReader();
  await reader?.read();
  const drain = async (): Promise<true> => {
    while (!(await reader?.read())?.done);
    return true;
  };
  return { status: response.status, ended: drain().catch(() => true), cancel: () => reader?.cancel() };
}

/** Reads an account's event stream into a list of `[event, data]` until it ends. */
export async function follow(url: string, token: string) {
  const response = await fetch(`${url}/auth/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  const events: [string, unknown][] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const ended = (async () => {
    let text = '';
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return true;
      text += chunk.value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
        if (event) events.push([event, JSON.parse(data ?? 'null')]);
        text = text.slice(end + 2);
      }
    }
  })().catch(() => true);
  return { status: response.status, events, ended, cancel: () => reader?.cancel() };
}
