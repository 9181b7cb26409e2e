import { rows } from './dashboard-rows.ts';
import type { Panel } from './dashboard-rows.ts';

const source = { type: 'prometheus', uid: '${source}' };

/** `k8s/components/monitoring/tabletop-relay.json`, for Grafana 10 and later. */
export function dashboardJson(): string {
  let nextId = 1;
  let y = 0;
  const panels = Object.entries(rows).flatMap(([title, row]) => {
    const height = row.some(({ isNumber }) => isNumber) ? 4 : 8;
    const width = Math.floor(24 / row.length);
    const head = {
      id: nextId++,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    };
    const drawn = row.map((panel, index) => ({
      id: nextId++,
      ...drawPanel(panel),
      gridPos: { x: index * width, y: y + 1, w: width, h: height },
    }));
    y += height + 1;
    return [head, ...drawn];
  });
  const dashboard = {
    title: 'Tabletop Relay',
    uid: 'tabletop-relay',
    schemaVersion: 39,
    tags: ['tabletop-relay'],
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    graphTooltip: 1,
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels,
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

function drawPanel({ title, description, unit, queries, isNumber, stacked }: Panel): object {
  const targets = Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource: source,
    expr,
    legendFormat,
  }));
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    ...(description && { description }),
    datasource: source,
    targets,
    fieldConfig: {
      defaults: {
        unit,
        ...(!isNumber && {
          min: 0,
          custom: { fillOpacity: stacked ? 30 : 0, stacking: { mode: stacked ? 'normal' : 'none' } },
        }),
      },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] } }
      : { legend: { displayMode: 'list' }, tooltip: { mode: 'multi' } },
  };
}
