import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { patience, patientTwin } from './test/support/patience.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

// All that a run makes in the temporary folder goes with it: what CDK and killed processes leave there, and the
// compile cache, by which one process compiles a module and the others do not. Workers and the processes that tests
// start inherit both. Vitest gives a test file another address each time, so a lasting cache would grow for ever;
// `.ci/run` has one for its own time.
const runFolder = mkdtempSync(join(tmpdir(), 'test-run-'));
process.env['TMPDIR'] = runFolder;
process.env['NODE_COMPILE_CACHE'] ??= join(runFolder, 'compile-cache');
process.env['SHARED_BUNDLES'] ??= join(runFolder, 'shared-bundles');
process.once('exit', () => rmSync(runFolder, { recursive: true, force: true, maxRetries: 10 }));

/** Where a test lives decides its project: by what it needs to run. */
export default defineConfig({
  test: {
    // A machine of two cores would get one worker. Three keep both busy, as many a test waits.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    // Node loads TypeScript itself, as the twin does: no test mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        test: {
          name: 'unit',
          // Modules are loaded once a worker, not once a file: half of the time goes into that.
          isolate: false,
          env: { POWERTOOLS_METRICS_NAMESPACE: 'Test' },
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/infra/*.test.ts',
            'test/**/*.store.test.ts',
            'test/e2e/**',
            'test/browser/**',
            'test/deploy/**',
          ],
          setupFiles: [
            'test/support/unstub-environment-setup.ts',
            'test/support/test-seed-setup.ts',
          ],
          // No test asserts how fast it is: on a busy machine it may take its time.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/*.test.ts'],
          // aws-cdk-lib takes seconds to load: once a worker, not once a file.
          isolate: false,
          setupFiles: ['test/support/test-seed-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // What needs DynamoDB Local. Its files have most modules in common: two projects would load them twice.
          name: 'dynamodb',
          isolate: false,
          include: ['test/e2e/**/*.test.ts', 'test/**/*.store.test.ts'],
          env: patientTwin,
          setupFiles: [
            'test/support/unstub-environment-setup.ts',
            'test/support/test-seed-setup.ts',
            'test/support/drop-databases-setup.ts',
            'test/support/described-answers-setup.ts',
          ],
          globalSetup: [
            'test/support/dynamodb-global-setup.ts',
            'test/support/bundles-global-setup.ts',
          ],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // Needs Python: `npm run test:deploy`.
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          // Each test goes on where the one before it ended.
          bail: 1,
        },
      },
      {
        test: {
          // Needs Chromium: `npm run test:browser`.
          name: 'browser',
          // The twin and its functions take seconds to load: once a worker, not once a file.
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          env: patientTwin,
          expect: { poll: patience },
          setupFiles: [
            'test/support/unstub-environment-setup.ts',
            'test/support/drop-databases-setup.ts',
          ],
          globalSetup: ['test/support/dynamodb-global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
