import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { startChild } from './child-process.ts';
import { type Keep, withParts } from './parts.ts';
import { postSend } from './post-send.ts';
import type { Report } from './report.ts';
import { atMost, type Row } from './row.ts';
import { callSend, callTimeline } from './service-calls.ts';
import { median } from './statistics.ts';
import { startTwin, type Twin } from './twin-process.ts';

const fewSends = 1_000;
const manySends = 100_000;
const fillers = 2;
const longestFillMs = 300_000;
const warmUpCalls = 100;
const calls = 400;
const mostTimesSlower = 1.2;

/** Whether sending and reading become slower as an organization's sends pile up. */
export const benchGrowth = (): Promise<Report> =>
  withParts(async (keep) => {
    const few = await startFilled(fewSends, keep);
    const many = await startFilled(manySends, keep);
    const send = ({ twin }: Filled) => callSend(twin.baseUrl, twin.apiKey);
    const timeline = ({ twin, sendIds }: Filled, turn: number) =>
      callTimeline(twin.baseUrl, sendIds[turn % sendIds.length] ?? '');
    return {
      rows: [
        await compare('a send', send, few, many),
        await compare('a timeline read', timeline, few, many),
      ],
    };
  });

type Filled = { readonly twin: Twin; readonly stored: number; readonly sendIds: readonly string[] };

/** A twin with a table of its own. */
async function startFilled(sends: number, keep: Keep): Promise<Filled> {
  console.error(`  storing ${sends.toLocaleString('en-US')} sends`);
  const twin = keep(await startTwin());
  return { twin: twin.ready, ...(await fill(twin.ready, sends)) };
}

const filledSchema = z.object({ stored: z.int(), sendIds: z.array(z.string()) });

/** Stores copies of a real send, through several processes; on a slow machine fewer than asked for. */
async function fill({ baseUrl, apiKey, tableName, endpoints }: Twin, sends: number) {
  const idempotencyKey = randomUUID();
  const sent = await postSend(baseUrl, apiKey, { idempotencyKey });
  const settings = { dynamodb: endpoints.dynamodb, tableName, idempotencyKey, ...sent };
  const job = { sends: Math.ceil(sends / fillers), longestMs: longestFillMs };
  const results = await Promise.all(
    Array.from({ length: fillers }, async () => {
      const filler = await startChild('table-filler.ts', settings, z.object({}));
      const result = await filler.ask(job, filledSchema);
      await filler.stop();
      return result;
    }),
  );
  return {
    stored: results.reduce((total, { stored }) => total + stored, 0),
    sendIds: results.flatMap(({ sendIds }) => sendIds),
  };
}

type Call = (filled: Filled, turn: number) => Promise<void>;

/** Calls one and the other in turn, so that what slows the machine down slows both. */
async function compare(what: string, call: Call, few: Filled, many: Filled): Promise<Row> {
  console.error(`  calling, for ${what}`);
  const fewLatencies: number[] = [];
  const manyLatencies: number[] = [];
  for (let turn = 1; turn <= warmUpCalls + calls; turn += 1) {
    const fewMs = await millisecondsOf(() => call(few, turn));
    const manyMs = await millisecondsOf(() => call(many, turn));
    if (turn <= warmUpCalls) continue;
    fewLatencies.push(fewMs);
    manyLatencies.push(manyMs);
  }
  const [from, to] = [few, many].map(({ stored }) => stored.toLocaleString('en-US'));
  return atMost(
    `Latency of ${what} with ${to} sends stored, over that with ${from}`,
    median(manyLatencies) / median(fewLatencies),
    mostTimesSlower,
    ` (medians of ${calls} calls in turn)`,
  );
}

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
