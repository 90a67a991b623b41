import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { type Keep, startChild, withParts } from './child.ts';
import { drivenSchema, median, quantile, spread } from './rounds.ts';
import { forInformation, type Report } from './row.ts';

/** As SES takes in AWS. */
const sesTakesMs = 50;
const emailsOfBatch = 50;
const emailsOfSmallBatch = 5;

/** Queued emails from the request to SES's answer: many, and one at a time. Pace is none: the machine is the limit. */
export const benchQueue = (small: boolean): Promise<Report> =>
  withParts(async (keep) => {
    const { sendMany, sendOne } = await start(keep, small ? emailsOfSmallBatch : emailsOfBatch);
    console.error('  warming up');
    await sendMany(small ? 1 : 6_000);
    const speeds: number[] = [];
    for (let round = 1; round <= (small ? 1 : 8); round += 1) {
      console.error(`  many: round ${round}`);
      speeds.push(await sendMany(small ? 1 : 1_500));
    }
    console.error('  one at a time');
    const waits: number[] = [];
    for (let email = 1; email <= (small ? 3 : 100); email += 1) waits.push(await sendOne());
    const ms = (part: number) => `${quantile(waits, part).toFixed(0)} ms`;
    const under = `SES taking ${sesTakesMs} ms`;
    return {
      rows: [
        forInformation(
          `Queued emails a second, batches of ${emailsOfBatch} one after the other, to SES's last answer, ${under}`,
          `${median(speeds).toFixed(0)} (middle half ${spread(speeds)})`,
        ),
        forInformation(
          `A queued email at light load, from 202 to SES's answer, ${under}`,
          `p50 ${ms(0.5)}, p95 ${ms(0.95)}`,
        ),
      ],
    };
  });

async function start(keep: Keep, emailsAtOnce: number) {
  const { url } = keep(launchDynamodb());
  const settings = { tookMs: sesTakesMs };
  const mailbox = keep(await startChild('mailbox.ts', settings, z.object({ url: z.string() })));
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: await url,
    AWS_ENDPOINT_URL_SESV2: mailbox.ready.url,
    QUEUED_SENDS_PER_SECOND: '10000',
  };
  const address = z.object({ baseUrl: z.string(), apiKey: z.string() });
  const twin = keep(await startChild('twin.ts', { env, laterSends: true }, address));
  const load = keep(await startChild('load-generator.ts', twin.ready, z.object({})));
  const taken = z.object({ lastAt: z.number() });
  const queue = async (milliseconds: number, job: object) => {
    const driving = { inFlight: 1, milliseconds, mode: 'queued', ...job };
    const { calls: emails } = await load.ask(driving, drivenSchema);
    return emails;
  };
  return {
    /** @returns emails a second. */
    sendMany: async (milliseconds: number): Promise<number> => {
      const startedAt = Date.now();
      const emails = await queue(milliseconds, { emails: emailsAtOnce });
      const { lastAt } = await mailbox.ask({ emails }, taken);
      return (1_000 * emails) / (lastAt - startedAt);
    },
    /** @returns milliseconds. */
    sendOne: async (): Promise<number> => {
      await queue(1, {});
      const acceptedAt = Date.now();
      const { lastAt } = await mailbox.ask({ emails: 1 }, taken);
      return lastAt - acceptedAt;
    },
  };
}
