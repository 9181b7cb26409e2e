import type { Logger } from 'pino';
import { createLogMail, createNoMail, createSmtpMail } from '@tabletop-relay/notifications';
import type { SendMail } from '@tabletop-relay/notifications';
import type { RelayConfig } from './config.ts';

type MailConfig = Pick<RelayConfig, 'smtpUrl' | 'mailFrom' | 'databaseUrl' | 'publicUrl' | 'reread'>;

/**
 * The way that mails go out. A mail is printed to the log only while the relay is that of one person at one machine: whoever
 * reads the log could set the password of everybody.
 */
export function chooseMail(config: MailConfig, log: Logger): SendMail {
  const { smtpUrl, databaseUrl, publicUrl, reread = (url: string) => url } = config;
  if (smtpUrl) return createSmtpMail(() => reread(smtpUrl), config.mailFrom);
  return databaseUrl || publicUrl ? createNoMail(log) : createLogMail(log);
}
