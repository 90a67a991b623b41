import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openFigures } from './figures.ts';
import type { Lateness } from './plan.ts';
import { isViolated, runSchedule, tellOf } from './schedule.ts';

/**
 * Runs many randomised schedules and prints what they came to. Ends with exit code 1 at the first one that
 * violates a rule.
 *
 *     npm run prove -- [how many] [--seed n] [--late | --all-late]
 *
 * One seed replays one schedule: `npm run prove -- 1 --seed n`, or `SCHEDULE_SEED=n npm run prove`.
 *
 * With `--late`, SES's Send events come after the doubt window. With `--all-late`, all its events do. Some
 * sends then go out twice by design; these violations are counted. Without either, a tenth as many
 * schedules of both kinds follow.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    late: { type: 'boolean', default: false },
    'all-late': { type: 'boolean', default: false },
  },
});
// Thousands of sends are in doubt here, by design.
process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
const replayed = process.env['SCHEDULE_SEED'];
const count = Number(positionals[0] ?? (replayed === undefined ? 10_000 : 1));
const firstSeed = Number(values.seed ?? replayed ?? randomInt(2 ** 31));
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(firstSeed)) {
  throw new Error('how many schedules, and the seed, are whole numbers');
}

const titles = {
  none: 'events in time',
  send: 'Send events late',
  all: 'all events late',
} as const satisfies Record<Lateness, string>;
const progressEvery = 500;

/** @returns whether all rules held. */
async function prove(lateness: Lateness, schedules: number): Promise<boolean> {
  const figures = openFigures();
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  let isKept = true;
  for (let number = 0; number < schedules && isKept; number += 1) {
    const report = await runSchedule({ seed: firstSeed + number, lateness });
    figures.add(report);
    isKept = !isViolated(report);
    if (!isKept) console.log(tellOf(report));
    else if ((number + 1) % progressEvery === 0) {
      console.error(`${titles[lateness]}: ${number + 1} of ${schedules}, ${seconds()} s`);
    }
  }
  console.log(`\n${titles[lateness]}: seeds from ${firstSeed} on, ${seconds()} s`);
  for (const line of figures.lines()) console.log(line);
  return isKept;
}

const tenth = Math.floor(count / 10);
const all: readonly (readonly [Lateness, number])[] = [
  ['none', count],
  ['send', tenth],
  ['all', tenth],
];
const only: Lateness | undefined = values['all-late'] ? 'all' : values.late ? 'send' : undefined;
const parts = only === undefined ? all : [[only, count] as const];
for (const [lateness, schedules] of parts) {
  const isKept = schedules === 0 || (await prove(lateness, schedules));
  if (isKept) continue;
  process.exitCode = 1;
  break;
}
