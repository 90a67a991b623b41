import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openFigures } from './figures.ts';
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
 * sends then go out twice by design; these violations are counted.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    late: { type: 'boolean', default: false },
    'all-late': { type: 'boolean', default: false },
  },
});
const replayed = process.env['SCHEDULE_SEED'];
const count = Number(positionals[0] ?? (replayed === undefined ? 10_000 : 1));
const firstSeed = Number(values.seed ?? replayed ?? randomInt(2 ** 31));
const lateness = values['all-late'] ? 'all' : values.late ? 'send' : 'none';
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(firstSeed)) {
  throw new Error('how many schedules, and the seed, are whole numbers');
}

const figures = openFigures();
const startedAt = performance.now();
const seconds = () => Math.round((performance.now() - startedAt) / 1000);
const progressEvery = 500;

console.log(`seeds from ${firstSeed} on${lateness === 'none' ? '' : `, late: ${lateness}`}`);
for (let number = 1; number <= count; number += 1) {
  const report = await runSchedule({ seed: firstSeed + number - 1, lateness });
  figures.add(report);
  if (isViolated(report)) {
    console.log(tellOf(report));
    process.exitCode = 1;
    break;
  }
  if (number % progressEvery === 0)
    console.error(`${number} of ${count} schedules, ${seconds()} s`);
}
for (const line of figures.lines()) console.log(line);
console.log(`${seconds()} s`);
