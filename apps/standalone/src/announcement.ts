import { styleText } from 'node:util';
import type { DemoAccount } from './demo.ts';

export interface Announced {
  relayUrl: string;
  dataDir: string;
  /** Absent with `DEMO=off`. */
  demo?: {
    account: DemoAccount;
    clientId: string;
    worldUrl: string;
    /** The key in the overlay's link. */
    overlayKey: string;
    /** Signs in once, within ten minutes; undefined where no links do. */
    signInSecret?: string | undefined;
    /** The demo world's own log-in page. */
    logIn: { url: string; user: string };
  };
}

/** The one block that a start prints when all is up. Colour only on a terminal. */
export function announcement({ relayUrl, dataDir, demo }: Announced): string {
  const rows: [string, string][] = [
    ['Dashboard', `${relayUrl}/dashboard`],
    ['API', `${relayUrl}/docs`],
    ...(demo
      ? ([
          ['Demo world', demo.worldUrl],
          ['World log-in', `${demo.logIn.url}  ${demo.logIn.user}  ${demo.account.worldPassword}`],
          ['Overlay', overlayUrl(relayUrl, demo)],
          ['Sign in', `${demo.account.email}  ${demo.account.password}`],
          ...(demo.signInSecret === undefined
            ? []
            : [['Sign in once', `${relayUrl}/dashboard/sign-in#link=${demo.signInSecret}`]]),
          ['API key', demo.account.apiKey],
        ] as [string, string][])
      : []),
    ['Data', dataDir],
    ['Stop', 'Ctrl-C'],
  ];
  const table = rows.map(([name, value]) => `  ${bold(name.padEnd(14))}${value}`).join('\n');
  const title = bold('Tabletop Relay is running.');
  if (!demo) return `\n${title}\n\n${table}\n`;
  return `\n${title}\n\n${table}\n\n  ${bold('Try it:')} Mira rolls Perception\n\n${curl(relayUrl, demo)}\n`;
}

/** What stands behind the `#` is sent to no server. */
function overlayUrl(relayUrl: string, { clientId, overlayKey }: NonNullable<Announced['demo']>): string {
  return `${relayUrl}/overlay#client=${clientId}&key=${overlayKey}`;
}

/** One command over several lines, as shells take it when it is pasted. */
function curl(relayUrl: string, { account, clientId }: NonNullable<Announced['demo']>): string {
  return [
    `curl -s '${relayUrl}/sys5e/skill-check?clientId=${clientId}'`,
    `  -H 'x-api-key: ${account.apiKey}' -H 'content-type: application/json'`,
    `  -d '{"actorUuid":"Actor.mira","skill":"prc"}'`,
  ].join(' \\\n');
}

const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
