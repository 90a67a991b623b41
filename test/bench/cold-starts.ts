import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { type Bundle, bundleFunction, bundleText, sdkClientsOf, sdkImportsOf } from './bundle.ts';
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
  const sdkBundles = new Map<string, Bundle>();
  const bundleOnce = async (text: string) => {
    const file = join(directory, `sdk-${sdkBundles.size}.mjs`);
    const bundle = sdkBundles.get(text) ?? (await bundleText(text, file));
    sdkBundles.set(text, bundle);
    return bundle;
  };
  const candidates: Candidate[] = [];
  for (const { name } of functionCatalogue) {
    const own = await bundleFunction(name, directory);
    const clients = await bundleOnce(sdkClientsOf(own));
    const imports = await bundleOnce(sdkImportsOf(own));
    candidates.push({ name, own, clients, imports });
  }
  return candidates;
}

/** Import times by file: all files once a round, two at a time. */
async function measureImports(
  candidates: readonly Candidate[],
): Promise<(bundle: Bundle) => number> {
  const files = new Set(
    candidates.flatMap(({ own, clients, imports }) =>
      [own, clients, imports].map(({ file }) => file),
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
    const [total, clients, imports] = [timeOf(own), timeOf(sdk.clients), timeOf(sdk.imports)];
    const timesSdk = total / clients;
    const times = `${total.toFixed(0)} ms, its SDK clients alone ${clients.toFixed(0)} ms: ${timesSdk.toFixed(2)}`;
    const unconstructed = `not constructed ${imports.toFixed(0)} ms: ${(total / imports).toFixed(2)}`;
    return { name, bytes: own.bytes, timesSdk, measured: `${times} (${unconstructed})` };
  });
  const largest = functions.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  const slowest = functions.reduce((one, other) => (other.timesSdk > one.timesSdk ? other : one));
  const each = functions.map(
    ({ name, bytes, timesSdk, measured }): Row => ({
      what: name,
      measured: `${bytes.toLocaleString('en-US')} bytes; ${measured}`,
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
    ],
    details: { title: 'Functions: bundle, and import in a fresh process (CPU time)', rows: each },
  };
}
