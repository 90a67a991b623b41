/** Random inputs are the same in each run, as a red test is to be about the change. `TEST_SEED` draws others. */
export const testSeed = Number(process.env['TEST_SEED'] ?? 1);
