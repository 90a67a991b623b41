import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { startChild } from './child-process.ts';
import { type Keep, withParts } from './parts.ts';
import { recordSend } from './recorded-send.ts';
import type { Report } from './report.ts';
import { atLeast, type Row } from './row.ts';
import { median, spread } from './statistics.ts';
import { type Driven, drivenSchema } from './throughput.ts';
import { startLoad, startTwin } from './twin-process.ts';

const rounds = 16;
const roundMs = 1_000;
/** Until everything that runs often has been compiled: the endpoint has more of that than the floor. */
const warmUpMs = 8_000;
const leastOfFloor = 0.8;

type Contestants = {
  readonly endpoint: (inFlight: number, milliseconds: number) => Promise<Driven>;
  readonly floor: (inFlight: number, milliseconds: number) => Promise<Driven>;
};

/** The throughput of the send endpoint, against a script that does nothing but its calls. */
export const benchSendEndpoint = (): Promise<Report> =>
  withParts(async (keep) => {
    const contestants = await startContestants(keep);
    console.error('  warming up');
    await contestants.endpoint(16, warmUpMs);
    await contestants.floor(16, warmUpMs);
    const rows: Row[] = [];
    for (const inFlight of [1, 16]) rows.push(await compare(contestants, inFlight));
    return { rows };
  });

/** Both use one DynamoDB Local and one mailbox, which are processes of their own. */
async function startContestants(keep: Keep): Promise<Contestants> {
  const { url } = keep(launchDynamodb());
  const mailbox = keep(await startChild('mailbox.ts', {}, z.object({ url: z.string() })));
  const dynamodb = await url;
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SESV2: mailbox.ready.url,
  };
  const send = await recordSend(env);
  const twin = keep(await startTwin(env));
  const load = keep(await startLoad(twin.ready));
  const settings = { dynamodb, ses: mailbox.ready.url, send };
  const floor = keep(await startChild('floor.ts', settings, z.object({})));
  return {
    endpoint: (inFlight, milliseconds) => load.ask({ inFlight, milliseconds }, drivenSchema),
    floor: (inFlight, milliseconds) => floor.ask({ inFlight, milliseconds }, drivenSchema),
  };
}

async function compare({ endpoint, floor }: Contestants, inFlight: number): Promise<Row> {
  const results: { endpoint: Driven; floor: Driven }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  ${inFlight} in flight: round ${round} of ${rounds}`);
    const floorResult = await floor(inFlight, roundMs);
    results.push({ floor: floorResult, endpoint: await endpoint(inFlight, roundMs) });
  }
  const ratios = results.map((result) => result.endpoint.perSecond / result.floor.perSecond);
  const speed = (who: 'endpoint' | 'floor') =>
    median(results.map((result) => result[who].perSecond)).toFixed(0);
  return atLeast(
    `Send endpoint, ${inFlight} in flight: throughput over that of its bare SDK calls`,
    median(ratios),
    leastOfFloor,
    ` (middle half of ${rounds} rounds ${spread(ratios)}; ${speed('endpoint')} and ${speed('floor')} sends/s)`,
  );
}
