import { describe, it } from 'vitest';
import { openMemoryTable } from '../support/memory-table/memory-table.ts';
import { expectNoneLost } from './flaky-deliveries.ts';

describe('2,000 events to a receiver that fails 30 % at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    await expectNoneLost(openMemoryTable().table, { events: 2_000, failureRate: 0.3 });
  }, 600_000);
});
