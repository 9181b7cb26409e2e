import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  /** The mails that it took, headers and all. Lines that the sender broke are whole again. */
  mails: { to: string; source: string }[];
  /** Throws or returns an error to refuse a mail; takes all at first. */
  refusal: () => (Error & { responseCode?: number }) | undefined;
  stop(): Promise<void>;
}

/** A real mail server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      void text(stream).then((source) => {
        const refusal = mailServer.refusal();
        if (refusal) return done(refusal);
        for (const { address } of session.envelope.rcptTo)
          mailServer.mails.push({ to: address, source: source.replaceAll('=\r\n', '') });
        done(null, 'taken');
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails: [],
    refusal: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
  return mailServer;
}
