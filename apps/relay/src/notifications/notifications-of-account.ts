import type { AccountPart } from '../accounts/account-part.ts';

export const notificationsOfAccount: AccountPart = {
  async readForExport(db, accountId) {
    const [settings] = await db
      .selectFrom('notificationSettings')
      .select(['events', 'emailEnabled', 'quietFrom', 'quietTo', 'timeZone', 'batchSeconds'])
      .where('accountId', '=', accountId)
      .execute();
    const webhooks = db
      .selectFrom('webhooks')
      .select(['id', 'kind', 'label', 'enabled', 'failingSince', 'switchedOffAt', 'createdAt'])
      .where('accountId', '=', accountId)
      .execute();
    const notifications = db
      .selectFrom('notifications')
      .select(['id', 'kind', 'label', 'status', 'events', 'eventCount', 'createdAt', 'sentAt'])
      .where('accountId', '=', accountId)
      .orderBy('id', 'desc')
      .limit(10_000)
      .execute();
    return {
      notificationSettings: settings ?? null,
      webhooks: await webhooks,
      notifications: await notifications,
    };
  },
  // Nothing here opens anything.
  endCredentials: () => Promise.resolve(),
};
