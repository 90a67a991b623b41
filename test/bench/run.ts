import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { benchAttachmentMemory } from './attachment-memory.ts';
import { benchColdStarts } from './cold-starts.ts';
import { benchGrowth } from './growth.ts';
import type { Report } from './report.ts';
import { renderTable } from './row.ts';
import { benchSendEndpoint } from './send-endpoint.ts';
import { benchTableCalls } from './table-calls.ts';
import { benchTrackingRewrite } from './tracking-rewrite.ts';
import { benchWebhooks } from './webhook-delivery.ts';

const parts: Readonly<Record<string, () => Promise<Report>>> = {
  send: benchSendEndpoint,
  table: benchTableCalls,
  functions: benchColdStarts,
  growth: benchGrowth,
  webhooks: benchWebhooks,
  attachments: benchAttachmentMemory,
  tracking: async () => ({ rows: await benchTrackingRewrite() }),
};

const resultFile = '.local/bench.md';

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}
const loadBefore = loadavg()[0] ?? 0;
const reports: Report[] = [];
for (const [name, bench] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const startedAt = performance.now();
  console.error(name);
  reports.push(await bench().catch((error: unknown) => failureOf(name, error)));
  console.error(`  took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}
const result = render(reports);
mkdirSync('.local', { recursive: true });
writeFileSync(resultFile, result);
console.log(result);

/** What the other parts have measured is worth having all the same. */
function failureOf(name: string, error: unknown): Report {
  console.error(error);
  process.exitCode = 1;
  return { rows: [{ what: `Part ${name}`, measured: 'failed', target: 'to run', met: false }] };
}

function render(all: readonly Report[]): string {
  const details = all.flatMap((report) => (report.details === undefined ? [] : [report.details]));
  return [
    machine(),
    renderTable(all.flatMap(({ rows }) => rows)),
    ...details.flatMap(({ title, rows }) => [`${title}:`, renderTable(rows)]),
    '',
  ].join('\n\n');
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
