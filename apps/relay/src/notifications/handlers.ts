import type { RelaySecrets } from '@tabletop-relay/database';
import { notificationEndpoints } from '@tabletop-relay/contract';
import { createSealer } from '@tabletop-relay/database';
import { createAddressGuard } from '@tabletop-relay/outbound';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import { paged } from '@tabletop-relay/kit';
import { readAttention } from './attention.ts';
import { changeSettings } from './change-settings.ts';
import type { ChangeSettingsDeps } from './change-settings.ts';
import { readNotifications } from './read-notifications.ts';
import { readSettings } from './read-settings.ts';
import { sendAgain } from './send-again.ts';
import { sendTest } from './send-test.ts';
import type { SendTestDeps } from './send-test.ts';

export interface NotificationsDeps extends Pick<
  ChangeSettingsDeps & SendTestDeps,
  'db' | 'records' | 'sendMail'
> {
  secrets: RelaySecrets;
  now(): number;
  settings: { outboundAllow: readonly string[]; smtpUrl?: string; publicUrl?: string };
}

/** The endpoints of this room. */
export function serveNotifications({ secrets, settings, ...own }: NotificationsDeps): ServedEndpoint[] {
  const deps: ChangeSettingsDeps & SendTestDeps = {
    ...own,
    sealer: createSealer(secrets),
    guard: createAddressGuard({ allow: settings.outboundAllow }),
    sendsMail: settings.smtpUrl !== undefined,
    mailUrl: settings.publicUrl,
  };
  const handlers: HandlersOf<typeof notificationEndpoints> = {
    getNotificationSettings: (_input, { session: { accountId } }) => readSettings(deps, accountId),
    setNotificationSettings: ({ body }, { session: { accountId }, sender }) =>
      changeSettings(deps, { accountId, wanted: body, sender }),
    testNotifications: ({ body }, { session }) => sendTest(deps, session, body.webhookId),
    listAttention: async (_input, { session: { accountId } }) => ({
      items: await readAttention(deps.db, { accountId, now: own.now() }),
    }),
    listNotifications: ({ query }, { session: { accountId } }) =>
      paged(query, (page) => readNotifications(deps.db, { accountId, status: query.status, ...page })),
    async sendNotificationAgain({ params }, { session: { accountId } }) {
      await sendAgain(deps.db, { accountId, id: params.id });
      return {};
    },
  };
  return serve(notificationEndpoints, handlers);
}
