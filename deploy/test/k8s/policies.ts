import { BlockList } from 'node:net';
import { ofKind, renderOverlay, workloadsOf } from './render.ts';
import type { Manifest } from './render.ts';

export interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: { matchLabels: Record<string, string> };
  podSelector?: Selector;
}
interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
}
interface Port {
  protocol: string;
  port: number | string;
  endPort?: number;
}
export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: Port[];
}
interface Policy {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

export const policiesOf = (manifests: readonly Manifest[]): Policy[] =>
  ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as Policy);

export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
) {
  return (
    Object.entries(matchLabels).every(([label, value]) => labels[label] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** What is open to a pod with those labels. */
export function rulesFor(
  manifests: readonly Manifest[],
  labels: Record<string, string>,
): { ingress: Rule[]; egress: Rule[] } {
  const mine = policiesOf(manifests).filter(({ podSelector }) => selects(podSelector, labels));
  return {
    ingress: mine.flatMap(({ ingress = [] }) => ingress),
    egress: mine.flatMap(({ egress = [] }) => egress),
  };
}

interface Place {
  address: string;
  ports: number[];
}

/** Where each service stands that a process may open, seen from a cluster. */
const places: Readonly<Record<string, Place>> = {
  postgres: { address: '10.1.2.3', ports: [5432] },
  redis: { address: '10.1.2.4', ports: [6379] },
  mail: { address: '198.51.100.1', ports: [465, 587] },
  webhook: { address: '198.51.100.2', ports: [443] },
  tabletop: { address: '198.51.100.3', ports: [30_000] },
  // At PUBLIC_URL.
  relay: { address: '198.51.100.4', ports: [443] },
};

/**
 * Compares what these workloads opened (`<workload> to <service>`) with the policies of the production overlay: what is refused,
 * and what is open for nothing. Names were not looked up, because tests' addresses are numbers.
 */
export function judgeFlows(flows: readonly string[], workloads: readonly string[]): string[] {
  const manifests = renderOverlay('production');
  const judged = workloadsOf(manifests).filter(({ name }) => workloads.includes(name));
  return judged.flatMap(({ name, podLabels }) => {
    const opened = flows.flatMap((flow) => {
      const [from, service = ''] = flow.split(' to ');
      return from === name ? [{ service, ...(places[service] as Place) }] : [];
    });
    const rules = rulesFor(manifests, podLabels).egress.filter(
      ({ to }) => !to?.some((peer) => peer.podSelector),
    );
    const doors = rules.flatMap(({ to, ports = [] }) => ports.map((port) => ({ to, port })));
    const refused = opened.filter(
      ({ address, ports }) => !ports.every((port) => doors.some((door) => leads(door, address, port))),
    );
    const unused = doors.filter(
      (door) => !opened.some(({ address, ports }) => ports.some((port) => leads(door, address, port))),
    );
    return [
      ...refused.map(({ service }) => `the policies refuse ${name} its way to ${service}`),
      ...unused.map(({ port }) => `the policies let ${name} out to ${port.port}, where it never went`),
    ];
  });
}

function leads(
  { to, port }: { to: Peer[] | undefined; port: Port },
  address: string,
  wanted: number,
): boolean {
  const isPort = Number(port.port) <= wanted && wanted <= (port.endPort ?? Number(port.port));
  return isPort && (to ?? [{}]).some(({ ipBlock }) => !ipBlock || isWithin(ipBlock, address));
}

function isWithin({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string): boolean {
  return contains(cidr, address) && !except.some((one) => contains(one, address));
}

function contains(cidr: string, address: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
}
