import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailMessage {
  /** One address in its canonical form. */
  to: string;
  subject: string;
  text: string;
}

/** Rejects when the mail server does not take it. */
export type SendMail = (message: MailMessage) => Promise<void>;

/** Sends through `SMTP_URL`, as it is at each mail: each takes a connection of its own. */
export function createSmtpMail(currentUrl: () => string, from: string): SendMail {
  return async (message) => {
    const transport = createTransport({
      url: currentUrl(),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    });
    // As an object it is one address as it stands: text would be parsed for others.
    await transport.sendMail({ from, ...message, to: { name: '', address: message.to } });
  };
}

/** Without a mail server: the embedded default's operator finds the text, links and all, in the log, which shows warnings. */
export function createLogMail(log: Logger): SendMail {
  return (message) => {
    log.warn({ subject: message.subject, text: message.text }, 'no SMTP_URL: a mail was not sent');
    return Promise.resolve();
  };
}

/** Without a mail server in production: links are secrets and stay out of logs. */
export function createNoMail(log: Logger): SendMail {
  return (message) => {
    log.warn({ subject: message.subject }, 'no SMTP_URL: a mail was not sent');
    return Promise.resolve();
  };
}
