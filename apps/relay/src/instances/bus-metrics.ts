import { messageKinds } from '@tabletop-relay/cluster';
import type { Traffic } from '@tabletop-relay/cluster';
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What goes between instances over Redis. Read from the traffic's numbers at each scrape, so that calls pay nothing more. */
export function createBusMetrics(registry: Registry, traffic: Traffic): void {
  const registers = [registry];
  countByKind(registers, traffic);
  const total = (name: string, help: string, read: () => number) =>
    void new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  total(
    'relay_bus_answers_unheard_total',
    'Answers that no instance was subscribed to when they were published. They are published again for 4 s.',
    () => traffic.unheard,
  );
  total(
    'relay_bus_answers_late_total',
    'Answers from other instances that came when their call waited no more, or came twice.',
    () => traffic.late,
  );
  total(
    'relay_bus_calls_answered_total',
    'Calls to worlds of other instances that were answered.',
    () => traffic.answered,
  );
  total(
    'relay_bus_call_seconds_total',
    'Seconds that these calls took all together, from the question over the bus to the whole answer, the world’s time included.',
    () => traffic.answeredMs / 1_000,
  );
  gauge('relay_bus_calls_waiting', 'Calls to worlds of other instances that wait for their answer.', () =>
    traffic.waiting(),
  );
  gauge(
    'relay_bus_held_bytes',
    'Bytes of large answers from other instances that have come, or are coming, and were not read yet. REPLY_BYTES bounds them.',
    () => traffic.heldBytes(),
  );
}

function countByKind(registers: Registry[], traffic: Traffic): void {
  const labelNames = ['direction', 'kind'] as const;
  const read = (counter: Counter<'direction' | 'kind'>, what: 'messages' | 'bytes') => {
    counter.reset();
    for (const direction of ['published', 'received'] as const) {
      for (const kind of messageKinds) counter.inc({ direction, kind }, traffic[direction][kind][what]);
    }
  };
  void new Counter({
    name: 'relay_bus_messages_total',
    help: 'Messages between instances over Redis, by direction (published, received) and kind: command to an owner, answer to an asker, chunk of a large answer, broadcast to all. Heartbeats, and what is said about a call or an answer (cancels, credits), are left out.',
    labelNames,
    registers,
    collect() {
      read(this, 'messages');
    },
  });
  void new Counter({
    name: 'relay_bus_bytes_total',
    help: 'Bytes of these messages; of commands those of their bodies.',
    labelNames,
    registers,
    collect() {
      read(this, 'bytes');
    },
  });
}
