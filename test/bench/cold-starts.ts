import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { type Bundle, bundleFunction, bundleText, sdkImportsOf } from './bundle.ts';
import { importTimeOf } from './import-time.ts';
import type { Report } from './report.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

const rounds = 15;
const mostBytes = 600_000;
const mostTimesSdk = 1.4;

type Candidate = { readonly name: string; readonly own: Bundle; readonly sdk: Bundle };

/** Bundle size and import time of every function, against importing only its SDK clients. */
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
  const sdkBundles = new Map<string, Bundle>();
  const candidates: Candidate[] = [];
  for (const { name } of functionCatalogue) {
    const own = await bundleFunction(name, directory);
    const imports = sdkImportsOf(own);
    const file = join(directory, `sdk-${sdkBundles.size}.mjs`);
    const sdk = sdkBundles.get(imports) ?? (await bundleText(imports, file));
    sdkBundles.set(imports, sdk);
    candidates.push({ name, own, sdk });
  }
  return candidates;
}

/** Import times by file: all files once a round, two at a time. */
async function measureImports(
  candidates: readonly Candidate[],
): Promise<(bundle: Bundle) => number> {
  const files = new Set(candidates.flatMap(({ own, sdk }) => [sdk.file, own.file]));
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
  const functions = candidates.map(({ name, own, sdk }) => {
    const [milliseconds, sdkMilliseconds] = [timeOf(own), timeOf(sdk)];
    const timesSdk = milliseconds / sdkMilliseconds;
    return { name, bytes: own.bytes, milliseconds, sdkMilliseconds, timesSdk };
  });
  const largest = functions.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  const slowest = functions.reduce((one, other) => (other.timesSdk > one.timesSdk ? other : one));
  const each = functions.map(
    ({ name, bytes, milliseconds, sdkMilliseconds, timesSdk }): Row => ({
      what: name,
      measured: `${bytes.toLocaleString('en-US')} bytes; ${milliseconds.toFixed(0)} ms, SDK alone ${sdkMilliseconds.toFixed(0)} ms: ${timesSdk.toFixed(2)}`,
      target: `≤ ${mostBytes.toLocaleString('en-US')}; ≤ ${mostTimesSdk}`,
      met: bytes <= mostBytes && timesSdk <= mostTimesSdk,
    }),
  );
  const count = functions.length;
  return {
    rows: [
      atMost(`Largest of ${count} bundles, bytes`, largest.bytes, mostBytes, ` (${largest.name})`),
      atMost(
        `Slowest import of ${count} functions: CPU time over that of its SDK clients alone`,
        slowest.timesSdk,
        mostTimesSdk,
        ` (${slowest.name})`,
      ),
    ],
    details: { title: 'Functions: bundle, and import in a fresh process (CPU time)', rows: each },
  };
}
