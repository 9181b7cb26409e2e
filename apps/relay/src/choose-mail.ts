import type { Logger } from 'pino';
import { createLogMail, createNoMail, createSmtpMail } from '@tabletop-relay/notifications';
import type { SendMail } from '@tabletop-relay/notifications';
import type { RelayConfig } from './config.ts';

/** The way that mails go out: the instances and the operator's command line send alike. */
export function chooseMail(config: RelayConfig, log: Logger): SendMail {
  const { smtpUrl, reread = (url: string) => url } = config;
  if (smtpUrl) return createSmtpMail(() => reread(smtpUrl), config.mailFrom);
  return config.databaseUrl ? createNoMail(log) : createLogMail(log);
}
