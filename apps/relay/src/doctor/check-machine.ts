import { reasonOf } from '@tabletop-relay/process';
import { existsSync, readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

const neededNode = 24;

export function checkNode(running = process.versions.node): Finding {
  if (Number.parseInt(running) >= neededNode) return ok('Node', running);
  return problem('Node', `${running} does not run the sources`, `Install Node ${neededNode}.`);
}

/** Each connection takes a file descriptor. */
export function checkOpenFiles(maxConnections: number, limits = readLimits()): Finding[] {
  const allowed = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  if (allowed >= maxConnections + 200) return [];
  return [
    warning(
      'open files',
      `this process may open ${allowed} files, MAX_CONNECTIONS is ${maxConnections}`,
      'Raise the limit where the relay is started (`LimitNOFILE=`, `ulimit -n`), or lower MAX_CONNECTIONS.',
    ),
  ];
}

const readLimits = () => (existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '');

export function checkDashboard(folder: string): Finding {
  if (existsSync(folder)) return ok('dashboard', 'is built');
  return warning('dashboard', 'is not built here: people see no pages', 'Run `pnpm build`.');
}

/** Signs in to the mail server and sends nothing. */
export async function checkMail(smtpUrl: string | undefined): Promise<Finding[]> {
  if (smtpUrl === undefined) {
    return [
      warning('mail', 'SMTP_URL is not set: nobody can reset a password', 'Set SMTP_URL and MAIL_FROM.'),
    ];
  }
  const [connectionTimeout, greetingTimeout, socketTimeout] = [5_000, 5_000, 5_000];
  const transport = createTransport({ url: smtpUrl, connectionTimeout, greetingTimeout, socketTimeout });
  try {
    await transport.verify();
    return [ok('mail', 'the server takes our mails')];
  } catch (error) {
    return [
      problem(
        'mail',
        reasonOf(error),
        'Correct host, port, user and password in SMTP_URL; smtps:// is TLS from the start.',
      ),
    ];
  } finally {
    transport.close();
  }
}
