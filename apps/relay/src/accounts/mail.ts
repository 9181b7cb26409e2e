import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
}

/** Rejects when the mail server does not take it. */
export type SendMail = (message: MailMessage) => Promise<void>;

/** Sends through `SMTP_URL`. */
export function createSmtpMail(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
  return async (message) => {
    await transport.sendMail({ from, ...message });
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
