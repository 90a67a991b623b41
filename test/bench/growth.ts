import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Child, startChild } from './child-process.ts';
import { postSend } from './post-send.ts';
import type { Report } from './report.ts';
import { atMost, type Row } from './row.ts';
import { median, spread } from './statistics.ts';
import { drivenSchema } from './throughput.ts';
import { startLoad, startTwin, type Twin } from './twin-process.ts';

const fewSends = 1_000;
const manySends = 100_000;
const fillers = 2;
const longestFillMs = 150_000;
const rounds = 25;
const roundMs = 250;
const warmUpMs = 1_500;
const mostTimesSlower = 1.2;

/** Whether sending and reading become slower as an organization's sends pile up. */
export async function benchGrowth(): Promise<Report> {
  const children: Child<unknown>[] = [];
  try {
    const few = await startFilled(fewSends, children);
    const many = await startFilled(manySends, children);
    return {
      rows: [await compare('send', few, many), await compare('timeline', few, many)],
    };
  } finally {
    for (const child of children.reverse()) await child.stop();
  }
}

type Filled = { readonly stored: number; readonly load: Child<object> };

/** A twin with a table of its own. */
async function startFilled(sends: number, children: Child<unknown>[]): Promise<Filled> {
  console.error(`  storing ${sends.toLocaleString('en-US')} sends`);
  const twin = await startTwin();
  children.push(twin);
  const { sendIds, stored } = await fill(twin.ready, sends);
  const load = await startLoad(twin.ready, sendIds);
  children.push(load);
  return { stored, load };
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

async function compare(endpoint: 'send' | 'timeline', few: Filled, many: Filled): Promise<Row> {
  const latencyOf = async ({ load }: Filled, milliseconds = roundMs): Promise<number> => {
    const driven = await load.ask({ endpoint, inFlight: 1, milliseconds }, drivenSchema);
    return driven.medianLatency;
  };
  await latencyOf(few, warmUpMs);
  await latencyOf(many, warmUpMs);

  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  ${endpoint}: round ${round} of ${rounds}`);
    const latency = await latencyOf(few);
    ratios.push((await latencyOf(many)) / latency);
  }
  const [from, to] = [few, many].map(({ stored }) => stored.toLocaleString('en-US'));
  return atMost(
    `Latency of ${endpoint} with ${to} sends stored, over that with ${from}`,
    median(ratios),
    mostTimesSlower,
    ` (middle half of ${rounds} rounds ${spread(ratios)})`,
  );
}
