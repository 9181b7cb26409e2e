import { prometheusRule } from '../../deploy/test/observability/rules.ts';
import { addressesModule } from './addresses.ts';
import { operationFacts } from './operation-facts.ts';
import { alertsPage } from './observability/alerts.ts';
import { commandLinePage } from './pages/command-line.ts';
import { errorsPage, scopesPage } from './pages/catalogues.ts';
import { comingOverPage } from './coming-over/coming-over.ts';
import { endpointsPage } from './pages/endpoints.ts';
import { eventsPage } from './pages/events.ts';
import { callerFramesPage, framesPage } from './pages/frames.ts';
import { dashboardJson } from './observability/dashboard.ts';
import { metricsPage } from './observability/metrics.ts';
import { operationsPage } from './pages/operations.ts';
import { endpointTypes } from '../../packages/sdk/generator/endpoint-types.ts';
import { operationTypes } from '../../packages/sdk/generator/operation-types.ts';
import { pythonPackage } from '../../packages/sdk/generator/python/python-package.ts';
import { cliTable } from '../../packages/cli/generator/cli-table.ts';
import { sdkTables } from '../../packages/sdk/generator/sdk-tables.ts';
import { callerFrameTypes, eventTypes, wordTypes } from '../../packages/sdk/generator/word-types.ts';
import { recordsPage } from './pages/records.ts';
import { configurationPage, envExample } from './pages/settings.ts';

/** Every generated file by its path from the repository's root. */
export function referenceFiles(): Record<string, string> {
  return {
    '.env.example': envExample(),
    'k8s/components/monitoring/alerts.yaml': prometheusRule(),
    'k8s/components/monitoring/tabletop-relay.json': dashboardJson(),
    'apps/foundry-module/src/trust/operation-facts.ts': operationFacts(),
    'docs/reference/coming-from-another-relay.md': comingOverPage(),
    'docs/reference/command-line.md': commandLinePage(),
    'docs/reference/account-api.md': endpointsPage(),
    'docs/reference/alerts.md': alertsPage(),
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/metrics.md': metricsPage(),
    'docs/reference/module-frames.md': framesPage(),
    'docs/reference/socket-frames.md': callerFramesPage(),
    'docs/reference/operations.md': operationsPage(),
    'docs/reference/records.md': recordsPage(),
    'docs/reference/scopes.md': scopesPage(),
    'packages/contract/src/endpoints/addresses.ts': addressesModule(),
    'packages/contract/src/types/endpoints.ts': endpointTypes(),
    'packages/contract/src/types/events.ts': eventTypes(),
    'packages/contract/src/types/caller-frames.ts': callerFrameTypes(),
    'packages/contract/src/types/words.ts': wordTypes(),
    ...operationTypes(),
    ...sdkTables(),
    ...pythonPackage(),
    ...cliTable(),
  };
}
