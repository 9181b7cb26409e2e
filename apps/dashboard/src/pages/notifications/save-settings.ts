import type { NotificationSettings } from '@tabletop-relay/contract';
import { api } from '../../request.ts';
import { notificationSettings } from '../../store.ts';

/** Sets all settings: those that are shown, with these changed. Resolves with what the relay then has. */
export async function saveSettings(
  settings: NotificationSettings,
  changes: Partial<Parameters<typeof api.setNotificationSettings>[0]>,
): Promise<NotificationSettings> {
  const { events, webhooks, email, quietHours, batchSeconds } = settings;
  const saved = await api.setNotificationSettings({
    events,
    webhooks: webhooks.map(({ id, kind, url, enabled }) => ({ id, kind, url, enabled })),
    email: { enabled: email.enabled },
    ...(quietHours && { quietHours }),
    batchSeconds,
    ...changes,
  });
  await notificationSettings.reload();
  return saved;
}
