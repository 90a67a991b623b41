import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import {
  type Bundle,
  bundleFunction,
  bundleText,
  bundleTextAsItComes,
  sdkClientsOf,
  sdkImportsOf,
} from './bundle.ts';
import { importTimeOf } from './import-time.ts';
import type { Report } from './report.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const rounds = 15;
const mostBytes = 600_000;
const mostTimesSdk = 1.4;

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
export async function benchColdStarts(): Promise<Report> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  try {
    const candidates = await bundleAll(directory);
    return toReport(candidates, await measureImports(candidates));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Functions with the same SDK clients are compared with the same bundle. */
async function bundleAll(directory: string): Promise<Candidate[]> {
  const bundleOnce = createBundler(directory, 'sdk', bundleText);
  const bundleOnceAsItComes = createBundler(directory, 'whole-sdk', bundleTextAsItComes);
  const candidates: Candidate[] = [];
  for (const { name } of functionCatalogue) {
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
      target: `≤ ${mostBytes.toLocaleString('en-US')}; ≤ ${mostTimesSdk}`,
      met: bytes <= mostBytes && timesSdk <= mostTimesSdk,
    }),
  );
  const count = functions.length;
  return {
    rows: [
      atMost(`Largest of ${count} bundles, bytes`, largest.bytes, mostBytes, ` (${largest.name})`),
      atMost(
        `Slowest import of ${count} functions: CPU time over that of its SDK clients alone, constructed`,
        slowest.timesSdk,
        mostTimesSdk,
        ` (${slowest.name})`,
      ),
      atMost(
        `Slowest import of ${count} functions: CPU time over that of its SDK clients as the SDK comes, imported only`,
        slowestOfWhole.timesWholeSdk,
        mostTimesSdk,
        ` (${slowestOfWhole.name})`,
      ),
    ],
    details: { title: 'Functions: bundle, and import in a fresh process (CPU time)', rows: each },
  };
}
