import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { describeBroadcast } from './broadcast.ts';
import { describeCalls } from './calls.ts';
import { describeClaims } from './claims.ts';
import type { Fleet, Suite, TestInstance } from './fleet.ts';
import { startInstance } from './fleet.ts';
import { describeHandovers } from './handovers.ts';
import { describeReservations } from './reservations.ts';
import { describeSeats } from './seats.ts';
import { describeStandbys } from './standbys.ts';
import { describeStreams } from './streams.ts';
import { describeTickets } from './tickets.ts';

/** The tests that every driver must pass. */
export function describeCluster(driver: string, open: () => Promise<Fleet>): void {
  describe(`a cluster over ${driver}`, () => {
    let fleet: Fleet;
    let running: TestInstance[] = [];

    const suite: Suite = {
      client: '',
      start: async (count) => {
        suite.client = `client-${randomBytes(6).toString('hex')}`;
        const names = Array.from({ length: count }, (_, index) => `instance-${index + 1}`);
        running = await Promise.all(names.map((name) => startInstance(fleet.createCluster(name))));
        return running;
      },
      pair: async () => (await suite.start(2)) as [TestInstance, TestInstance],
    };

    beforeAll(async () => {
      fleet = await open();
    });
    afterAll(() => fleet.close());
    afterEach(async () => {
      await Promise.all(running.map(({ cluster }) => cluster.stop()));
      running = [];
    });

    describe('calls', () => {
      describeCalls(suite);
    });
    describe('claims', () => {
      describeClaims(suite);
    });
    describe('a handover', () => {
      describeHandovers(suite);
    });
    describe('standbys', () => {
      describeStandbys(suite);
    });
    describe('streams', () => {
      describeStreams(suite);
    });
    describe('seats', () => {
      describeSeats(suite);
    });
    describe('tickets', () => {
      describeTickets(suite);
    });
    describe('reservations', () => {
      describeReservations(suite);
    });
    describe('messages to all', () => {
      describeBroadcast(suite);
    });
  });
}
