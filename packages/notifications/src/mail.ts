import { createTransport } from 'nodemailer';

export interface MailMessage {
  /** One address in its canonical form. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Without it the mail gets an id of its own. One that is sent again keeps it, so that a mailbox knows it again. */
  messageId?: string;
}

/** Resolves with the mail server's answer, where there is one. Rejects when the server does not take the mail. */
export type SendMail = (message: MailMessage) => Promise<string | void>;

interface MailLog {
  warn(fields: object, message: string): void;
}

/** Sends through `SMTP_URL`, as it is at each mail: each takes a connection of its own. */
export function createSmtpMail(currentUrl: () => string, from: string, timeoutMs = 10_000): SendMail {
  return async (message) => {
    const transport = createTransport({
      url: currentUrl(),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: 2 * timeoutMs,
    });
    const { response } = (await transport.sendMail({
      from,
      ...message,
      // As an object it is one address as it stands: text would be parsed for others.
      to: { name: '', address: message.to },
      // No holiday replies.
      headers: { 'auto-submitted': 'auto-generated' },
    })) as { response: string };
    return response;
  };
}

/** Without a mail server: the person who tries the embedded default finds the text, links and all, in the log, which shows warnings. */
export function createLogMail(log: MailLog): SendMail {
  return (message) => {
    log.warn({ subject: message.subject, text: message.text }, 'no SMTP_URL: a mail was not sent');
    return Promise.resolve();
  };
}

/** Without a mail server, where others use the relay: links are secrets and stay out of logs. */
export function createNoMail(log: MailLog): SendMail {
  return (message) => {
    log.warn({ subject: message.subject }, 'no SMTP_URL: a mail was not sent');
    return Promise.resolve();
  };
}
