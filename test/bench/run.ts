import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { patientTwin } from '../support/patience.ts';
import { benchBatches } from './batches.ts';
import { benchColdStarts } from './cold-starts.ts';
import { benchCost } from './cost.ts';
import { benchQueue } from './queue.ts';
import type { Report } from './row.ts';
import { renderTable } from './row.ts';
import { benchSearch } from './search.ts';
import { benchSendEndpoint } from './send-endpoint.ts';
import { benchTableCalls } from './table-calls.ts';
import { benchWebhookThroughput } from './webhook-throughput.ts';
import { benchWebhookUnits } from './webhook-units.ts';

const parts: Readonly<Record<string, (small: boolean) => Promise<Report>>> = {
  send: benchSendEndpoint,
  batch: benchBatches,
  queue: benchQueue,
  table: benchTableCalls,
  functions: benchColdStarts,
  // `npm test` counts units (e2e/write-units.test.ts).
  webhooks: async (small) => ({
    rows: [await benchWebhookThroughput(small), ...(small ? [] : await benchWebhookUnits())],
  }),
  search: benchSearch,
  cost: benchCost,
};

const resultFile = '.local/bench.md';

const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  // Shows that every part still runs; its figures mean nothing.
  options: { small: { type: 'boolean', default: false } },
});
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}
// Its parts and their processes take over this environment.
Object.assign(process.env, patientTwin);
const loadBefore = loadavg()[0] ?? 0;
const reports: Report[] = [];
for (const [name, bench] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const startedAt = performance.now();
  console.error(name);
  reports.push(await bench(values.small).catch((error: unknown) => failureOf(name, error)));
  console.error(`  took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}
const result = render(reports);
mkdirSync('.local', { recursive: true });
if (!values.small) writeFileSync(resultFile, result);
console.log(result);

/** The other parts' results are worth having all the same. */
function failureOf(name: string, error: unknown): Report {
  console.error(error);
  process.exitCode = 1;
  return { rows: [{ what: `Part ${name}`, measured: 'failed', target: 'to run', met: false }] };
}

function render(all: readonly Report[]): string {
  const rows = all.flatMap((report) => report.rows);
  const details = all.flatMap((report) => (report.details === undefined ? [] : [report.details]));
  return [machine(), ...(rows.length > 0 ? [renderTable(rows)] : []), ...details, ''].join('\n\n');
}

function machine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}`,
    `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB`,
    `Node.js ${process.versions.node}`,
    `load average before: ${loadBefore.toFixed(1)}.`,
  ].join('; ');
}
