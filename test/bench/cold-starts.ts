import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { awsIdentity, functionEnvironment } from '../../infra/local/environment.ts';
import {
  type Bundle,
  bundleFunction,
  bundleText,
  bundleTextAsItComes,
  sdkClientsOf,
  sdkImportsOf,
} from './bundle.ts';
import { median } from './rounds.ts';
import { atMost, type Report, type Row, renderTable } from './row.ts';

const maxBytes = 600_000;
const maxTimesSdk = 1.4;

type Candidate = {
  readonly name: string;
  readonly own: Bundle;
  /** Its SDK clients alone, constructed as the function's own import does: what it is measured by. */
  readonly clients: Bundle;
  /** Not even constructed. */
  readonly imports: Bundle;
  /** Not constructed, and with all that our bundles leave out of the SDK. */
  readonly asItComes: Bundle;
};

/** Bundle size and import time of every function, against its SDK clients alone. */
export async function benchColdStarts(small: boolean): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  try {
    const names = functionCatalogue.map(({ name }) => name);
    const candidates = await bundleAll(small ? ['send-email'] : names, directory);
    return toReport(candidates, await measureImports(candidates, small ? 1 : 15));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Functions with the same SDK clients are compared with the same bundle. */
async function bundleAll(names: readonly string[], directory: string): Promise<Candidate[]> {
  const bundleOnce = createBundler(directory, 'sdk', bundleText);
  const bundleOnceAsItComes = createBundler(directory, 'whole-sdk', bundleTextAsItComes);
  const candidates: Candidate[] = [];
  for (const name of names) {
    const own = await bundleFunction(name, directory);
    const clients = await bundleOnce(sdkClientsOf(own));
    const imports = await bundleOnce(sdkImportsOf(own));
    const asItComes = await bundleOnceAsItComes(sdkImportsOf(own));
    candidates.push({ name, own, clients, imports, asItComes });
  }
  return candidates;
}

function createBundler(directory: string, name: string, bundle: typeof bundleText) {
  const bundles = new Map<string, Promise<Bundle>>();
  return (text: string): Promise<Bundle> => {
    const file = join(directory, `${name}-${bundles.size}.mjs`);
    const bundled = bundles.get(text) ?? bundle(text, file);
    bundles.set(text, bundled);
    return bundled;
  };
}

/** Import times by file: all files once a round, two at a time. */
async function measureImports(
  candidates: readonly Candidate[],
  rounds: number,
): Promise<(bundle: Bundle) => number> {
  const files = new Set(
    candidates.flatMap(({ own, clients, imports, asItComes }) =>
      [own, clients, imports, asItComes].map(({ file }) => file),
    ),
  );
  const times = new Map<string, number[]>([...files].map((file) => [file, []]));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  imports, round ${round} of ${rounds}`);
    const left = times.entries();
    const work = async () => {
      for (const [file, measured] of left) measured.push(await importTimeOf(file));
    };
    await Promise.all([work(), work()]);
  }
  return ({ file }) => median(times.get(file) ?? []);
}

function toReport(candidates: readonly Candidate[], timeOf: (bundle: Bundle) => number): Report {
  const functions = candidates.map(({ name, own, ...sdk }) => {
    const milliseconds = timeOf(own);
    const over = (base: Bundle) =>
      `${timeOf(base).toFixed(0)} ms: ${(milliseconds / timeOf(base)).toFixed(2)}`;
    const measured = [
      `${own.bytes.toLocaleString('en-US')} bytes; ${milliseconds.toFixed(0)} ms`,
      `its SDK clients alone ${over(sdk.clients)}`,
      `not constructed ${over(sdk.imports)}`,
      `as the SDK comes ${over(sdk.asItComes)}`,
    ].join(', ');
    const timesSdk = milliseconds / timeOf(sdk.clients);
    const timesWholeSdk = milliseconds / timeOf(sdk.asItComes);
    return { name, bytes: own.bytes, timesSdk, timesWholeSdk, measured };
  });
  const largest = functions.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  const slowest = functions.reduce((one, other) => (other.timesSdk > one.timesSdk ? other : one));
  const slowestOfWhole = functions.reduce((one, other) =>
    other.timesWholeSdk > one.timesWholeSdk ? other : one,
  );
  const each = functions.map(
    ({ name, bytes, timesSdk, measured }): Row => ({
      what: name,
      measured,
      target: `≤ ${maxBytes.toLocaleString('en-US')}; ≤ ${maxTimesSdk}`,
      met: bytes <= maxBytes && timesSdk <= maxTimesSdk,
    }),
  );
  const count = functions.length;
  return {
    rows: [
      atMost(`Largest of ${count} bundles, bytes`, largest.bytes, maxBytes, ` (${largest.name})`),
      atMost(
        `Slowest import of ${count} functions: CPU time over that of its SDK clients alone, constructed`,
        slowest.timesSdk,
        maxTimesSdk,
        ` (${slowest.name})`,
      ),
      atMost(
        `Slowest import of ${count} functions: CPU time over that of its SDK clients as the SDK comes, imported only`,
        slowestOfWhole.timesWholeSdk,
        maxTimesSdk,
        ` (${slowestOfWhole.name})`,
      ),
    ],
    details: `Functions: bundle, and import in a fresh process (CPU time):\n\n${renderTable(each)}`,
  };
}

const script = [
  'const before = process.cpuUsage();',
  'await import(process.argv[1]);',
  'const { user, system } = process.cpuUsage(before);',
  'process.stdout.write(String((user + system) / 1000), () => process.exit());',
].join('\n');

const nowhere = 'http://127.0.0.1:1';

const environment = {
  ...functionEnvironment({
    endpoints: { dynamodb: nowhere, sesv2: nowhere, sqs: nowhere, s3: nowhere },
    secretsUrl: nowhere,
    publicBaseUrl: nowhere,
    providerEventsTopicArn: 'arn:aws:sns:us-east-1:000000000000:events',
    builtFilesFolder: '/nowhere',
    quiet: true,
  }),
  ...awsIdentity({}),
  WEBHOOK_QUEUE_URL: nowhere,
  SEND_QUEUE_URL: nowhere,
  PROVIDER_EVENT_RETRY_QUEUE_URL: nowhere,
};

const run = promisify(execFile);

/**
 * How long a fresh process takes to import a module, in milliseconds of its own CPU time: importing
 * waits for nothing else, and other processes do not change it much.
 */
async function importTimeOf(file: string): Promise<number> {
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', file],
    { env: { ...process.env, ...environment } },
  );
  return Number.parseFloat(stdout);
}
