import { beforeEach, describe, expect, it } from 'vitest';
import { captureOutput } from '../support/captured-output.ts';
import { openComparedTable } from '../support/memory-table/compared-table.ts';
import { openMemoryTable } from '../support/memory-table/memory-table.ts';
import { openStoreTable } from '../support/store-table.ts';
import { isViolated, runSchedule, tellOf } from './schedule.ts';
import type { TableOpener } from './world.ts';

// Metrics, by the hundred: much is in doubt here.
beforeEach(() => {
  captureOutput();
});

const replayed = process.env['SCHEDULE_SEED'];
const firstSeed = Number(replayed ?? 1);

describe('randomised schedules on DynamoDB Local', () => {
  const pattern = openStoreTable();
  const openTable: TableOpener = async (intercept) =>
    (await openComparedTable(pattern, { intercept })).table;
  /** DynamoDB Local has no stale reads. */
  const inMemory: TableOpener = (intercept) => openMemoryTable({ intercept }).table;

  it('make the same calls as on the memory table, one by one', async () => {
    console.info(`compared schedules from seed ${firstSeed} on`);

    for (let seed = firstSeed; seed < firstSeed + 4; seed += 1) {
      const lateness = seed % 4 === 0 ? 'send' : 'none';
      const report = await runSchedule({ seed, lateness, openTable });

      if (isViolated(report)) expect.fail(tellOf(report));
      const again = await runSchedule({ seed, lateness, openTable: inMemory });
      expect(report.trace).toEqual(again.trace);
    }
  });
});
