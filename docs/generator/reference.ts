import { addressesModule } from './addresses.ts';
import { errorsPage, scopesPage } from './catalogues.ts';
import { endpointsPage } from './endpoints.ts';
import { eventsPage } from './events.ts';
import { framesPage } from './frames.ts';
import { dashboardJson } from './dashboard.ts';
import { metricsPage } from './metrics.ts';
import { operationsPage } from './operations.ts';
import { recordsPage } from './records.ts';
import { configurationPage, envExample } from './settings.ts';

/** Every generated file by its path from the repository's root. */
export function referenceFiles(): Record<string, string> {
  return {
    '.env.example': envExample(),
    'deploy/observability/dashboard.json': dashboardJson(),
    'docs/reference/account-api.md': endpointsPage(),
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/metrics.md': metricsPage(),
    'docs/reference/module-frames.md': framesPage(),
    'docs/reference/operations.md': operationsPage(),
    'docs/reference/records.md': recordsPage(),
    'docs/reference/scopes.md': scopesPage(),
    'packages/contract/src/endpoints/addresses.ts': addressesModule(),
  };
}
