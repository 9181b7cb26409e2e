import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSmtpMail } from './mail.ts';

/** To whom the mail server was told to deliver. */
const recipients: string[] = [];
const server = createServer((socket) => {
  let isData = false;
  socket.write('220 test\r\n');
  socket.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\r\n').filter(Boolean)) {
      if (isData && line !== '.') continue;
      isData = line === 'DATA';
      const [, recipient] = /^RCPT TO:<(.*)>/.exec(line) ?? [];
      if (recipient !== undefined) recipients.push(recipient);
      socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
    }
  });
  socket.on('error', () => {});
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

it.each(['victim@x.test,', 'me@y.test, victim@x.test', 'Victim <victim@x.test>'])(
  'a mail to %s reaches nobody whose address is a part of it',
  async (to) => {
    recipients.length = 0;
    const { port } = server.address() as AddressInfo;
    const send = createSmtpMail(() => `smtp://127.0.0.1:${port}`, 'Relay <relay@localhost>');
    await send({ to, subject: 'Test', text: 'A link' }).catch(() => {});
    expect(recipients).not.toContain('victim@x.test');
    await send({ to: 'owner@x.test', subject: 'Test', text: 'A link' });
    expect(recipients.at(-1)).toBe('owner@x.test');
  },
);
