import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { startChild, withParts } from './child.ts';
import { drivenSchema, median, spread } from './rounds.ts';
import { atLeast, forInformation, type Report, type Row } from './row.ts';

const emails = 100;
const leastOfSingle = 10;
const warmUpMs = 8_000;
const roundMs = 2_000;

/** As SES takes in AWS, and at once: then the machine alone limits both, and a batch saves only CPU. */
const sesTakes = [50, 0];

/** Batches of 100 emails against single requests, one in flight, in turn. */
export async function benchBatches(small: boolean): Promise<Report> {
  const rows: Row[] = [];
  for (const tookMs of sesTakes) rows.push(await compare(tookMs, small));
  return { rows };
}

const compare = (tookMs: number, small: boolean): Promise<Row> =>
  withParts(async (keep) => {
    const { url } = keep(launchDynamodb());
    const address = z.object({ baseUrl: z.string(), apiKey: z.string() });
    const mailbox = keep(await startChild('mailbox.ts', { tookMs }, z.object({ url: z.string() })));
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: await url,
      AWS_ENDPOINT_URL_SESV2: mailbox.ready.url,
    };
    const twin = keep(await startChild('twin.ts', { env }, address));
    const load = keep(await startChild('load-generator.ts', twin.ready, z.object({})));
    const drive = async (milliseconds: number, job: object = {}) => {
      const driving = { inFlight: 1, milliseconds, ...job };
      const { perSecond } = await load.ask(driving, drivenSchema);
      return perSecond;
    };
    for (const job of [{}, { emails }]) await drive(small ? 300 : warmUpMs, job);
    const rounds: { readonly single: number; readonly batched: number }[] = [];
    for (let round = 1; round <= (small ? 1 : 8); round += 1) {
      console.error(`  SES takes ${tookMs} ms: round ${round}`);
      const ms = small ? 300 : roundMs;
      rounds.push({ single: await drive(ms), batched: await drive(ms, { emails }) });
    }
    const ratios = rounds.map(({ single, batched }) => batched / single);
    const [single, batched] = [
      median(rounds.map((round) => round.single)),
      median(rounds.map((round) => round.batched)),
    ];
    const what = `Batches of ${emails}, SES taking ${tookMs} ms: sends a second, over single requests one at a time`;
    const detail = ` (middle half ${spread(ratios)}; ${batched.toFixed(0)} and ${single.toFixed(0)})`;
    return tookMs === 0
      ? forInformation(what, `${median(ratios).toFixed(2)}${detail}`)
      : atLeast(what, median(ratios), leastOfSingle, detail);
  });
