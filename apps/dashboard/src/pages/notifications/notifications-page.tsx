import { useEffect } from 'preact/hooks';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { notificationSettings } from '../../store.ts';
import { SettingsForm } from './settings-form.tsx';
import { NotificationList } from './notification-list.tsx';
import { Webhooks } from './webhooks.tsx';

export function NotificationsPage() {
  useEffect(() => void notificationSettings.reload(), []);
  const settings = notificationSettings.data.value;
  return (
    <Page title="Notifications">
      <p class="lead">What you are told of, and where.</p>
      <ProblemNotice problem={notificationSettings.problem.value} />
      {settings ? (
        <>
          <SettingsForm settings={settings} />
          <Webhooks settings={settings} />
          <NotificationList />
        </>
      ) : (
        !notificationSettings.problem.value && <div class="loading" aria-busy="true" />
      )}
    </Page>
  );
}
