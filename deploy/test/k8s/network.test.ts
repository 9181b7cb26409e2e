import { describe, expect, it } from 'vitest';
import { judgeFlows, policiesOf, rulesFor, selects } from './policies.ts';
import type { Peer, Rule } from './policies.ts';
import { overlays, renderOverlay, workloadsOf } from './render.ts';
import type { Manifest } from './render.ts';

function describePeer({ ipBlock, namespaceSelector, podSelector }: Peer): string {
  if (ipBlock) return [ipBlock.cidr, ...(ipBlock.except ?? []).map((cidr) => `not ${cidr}`)].join(' ');
  const labels = { ...namespaceSelector?.matchLabels, ...podSelector?.matchLabels };
  return Object.values(labels).join('/');
}

/** One line for each way that is open to a pod with those labels. */
function flowsOf(manifests: readonly Manifest[], labels: Record<string, string>): string[] {
  const { ingress, egress } = rulesFor(manifests, labels);
  const lines = ({ from, to, ports = [] }: Rule, way: string) =>
    (from ?? to ?? [{}]).map((peer) => {
      const allowed = ports.map(({ protocol, port, endPort }) =>
        [...(protocol === 'TCP' ? [] : [protocol]), endPort ? `${port}-${endPort}` : port].join(' '),
      );
      return `${way} ${describePeer(peer) || 'anywhere'}: ${allowed.join(', ') || 'any port'}`;
    });
  return [...ingress.flatMap((rule) => lines(rule, 'from')), ...egress.flatMap((rule) => lines(rule, 'to'))];
}

const toNames = ['to kube-system/kube-dns: UDP 53, 53', 'to 169.254.20.10/32: UDP 53, 53'];
const toPrivate = (ports: string) =>
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((cidr) => `to ${cidr}: ${ports}`);

const toInternet =
  'to 0.0.0.0/0 not 0.0.0.0/8 not 10.0.0.0/8 not 100.64.0.0/10 not 169.254.0.0/16 not 172.16.0.0/12 not 192.168.0.0/16 not 198.18.0.0/15';
const toWebhooks = `${toInternet}: 443`;

/** What each process opens and is opened, and nothing else. */
const flows: Record<string, string[]> = {
  relay: [
    ...toNames,
    'from monitoring: ops',
    'from ingress: http',
    ...toPrivate('5432, 6379'),
    'to anywhere: 465, 587',
    toWebhooks,
  ],
  worker: [
    ...toNames,
    'from monitoring: ops',
    ...toPrivate('5432, 6379'),
    'to anywhere: 465, 587',
    toWebhooks,
  ],
  'browser-host': [...toNames, 'from monitoring: ops', ...toPrivate('5432, 6379'), `${toInternet}: 1-65535`],
  migrate: [...toNames, ...toPrivate('5432')],
};

describe('network policies', () => {
  it.each(overlays)('of the overlay %s refuse what they do not allow, in and out', (overlay) => {
    expect(policiesOf(renderOverlay(overlay))).toContainEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it.each(Object.entries(flows))('allow %s what it needs', (name, expected) => {
    const manifests = renderOverlay('production');
    const workload = workloadsOf(manifests).find((one) => one.name === name);
    expect(flowsOf(manifests, workload?.podLabels ?? {}).toSorted()).toEqual(expected.toSorted());
  });

  it('know every workload', () => {
    const names = workloadsOf(renderOverlay('production')).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(flows).toSorted());
  });

  it('name ports by names that the pods have', () => {
    const manifests = renderOverlay('production');
    for (const { podLabels, pod } of workloadsOf(manifests)) {
      const names = (pod.containers[0].ports ?? []).map((port) => port.name);
      const mine = policiesOf(manifests).filter(({ podSelector }) => selects(podSelector, podLabels));
      const asked = mine.flatMap(({ ingress = [] }) => ingress.flatMap(({ ports = [] }) => ports));
      expect(names).toEqual(expect.arrayContaining(asked.map(({ port }) => port)));
    }
  });

  it('leave a deployment without mail no way to mail servers', () => {
    expect(flowsOf(renderOverlay('single'), { 'app.kubernetes.io/name': 'relay' }).join()).not.toContain(
      '587',
    );
  });

  it('are held against what processes opened, both ways', () => {
    const opened = ['postgres', 'redis', 'mail', 'webhook'].map((service) => `worker to ${service}`);
    expect(judgeFlows(opened, ['worker'])).toEqual([]);
    expect(judgeFlows([...opened.slice(0, 3), 'worker to tabletop'], ['worker'])).toEqual([
      'the policies refuse worker its way to tabletop',
      'the policies let worker out to 443, where it never went',
    ]);
  });
});
