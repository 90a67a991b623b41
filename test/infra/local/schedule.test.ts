import { expect, it, onTestFinished, vi } from 'vitest';
import { startSchedule } from '../../../infra/local/schedule.ts';
import { patience } from '../../support/patience.ts';

it('runs repeatedly, never concurrently, even after a failure', async () => {
  const log: string[] = [];
  const faults: unknown[] = [];
  const schedule = startSchedule({
    everyMs: 1,
    run: async () => {
      log.push('begin');
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push('end');
      if (log.length === 2) throw new Error('first run fails');
    },
    report: (fault) => faults.push(fault),
  });
  onTestFinished(schedule.stop);

  await vi.waitUntil(() => log.length >= 6, patience);
  await schedule.stop();

  const runs = log.length / 2;
  expect(log).toEqual(Array.from({ length: runs }, () => ['begin', 'end']).flat());
  expect(faults).toHaveLength(1);
});

it('reports a lasting error once, and again when it returns', async () => {
  const outcomes = ['no stream', 'no stream', 'no table', undefined, 'no table'];
  const faults: unknown[] = [];
  let runs = 0;
  const schedule = startSchedule({
    everyMs: 1,
    run: async () => {
      const message = outcomes[runs];
      runs += 1;
      if (message !== undefined) throw new Error(message);
    },
    report: (fault) => faults.push(String(fault)),
  });
  onTestFinished(schedule.stop);

  await vi.waitUntil(() => runs >= outcomes.length, patience);

  expect(faults).toEqual(['Error: no stream', 'Error: no table', 'Error: no table']);
});

it('stops at once between two runs', async () => {
  const run = vi.fn(async () => {});
  const schedule = startSchedule({ everyMs: 60_000, run, report: () => {} });

  await schedule.stop();

  expect(run).toHaveBeenCalledTimes(1);
});
