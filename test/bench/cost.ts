import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { aws } from './aws-prices.ts';
import { openEmail, reportEvent } from './follow-ups.ts';
import { type MeteredStack, startMeteredStack } from './metered-stack.ts';
import { withParts } from './parts.ts';
import { postSend } from './post-send.ts';
import { typicalEmail } from './typical-send.ts';

/** How long the functions run on AWS and how large they are. They were not measured there: assumptions. */
const invocations = [
  { what: 'send-email', memoryGb: 1, milliseconds: 120 },
  { what: 'record-provider-event (Send)', memoryGb: 0.5, milliseconds: 15 },
  { what: 'record-provider-event (Delivery)', memoryGb: 0.5, milliseconds: 20 },
  { what: 'track-open', memoryGb: 0.5, milliseconds: 20 },
];
/** Lambda writes START, END and REPORT of every invocation. */
const platformLogBytes = 300;
const retentionMonths = 3;
const bytesPerGb = 1e9;
const sendsMeasured = 50;

type Line = { readonly what: string; readonly count: string; readonly dollars: number };

/** What a million sends cost besides SES, each with its Send, its Delivery and one open. */
async function measureCost(): Promise<readonly Line[]> {
  return withParts(async (keep) => {
    const stack = keep(await startMeteredStack({ quiet: false }));
    await runStory(stack);
    stack.meter.clear();
    const log = tapLog();
    for (let send = 0; send < sendsMeasured; send += 1) await runStory(stack);
    await sleep(200);
    const logBytes = log.stop() / sendsMeasured;
    const perSend = (units: 'readUnits' | 'writeUnits') =>
      stack.meter.calls.reduce((sum, call) => sum + call[units], 0) / sendsMeasured;
    return linesOf({
      writeUnits: perSend('writeUnits'),
      readUnits: perSend('readUnits'),
      storedBytes: stack.meter.storedBytes() / sendsMeasured,
      logBytes: logBytes + platformLogBytes * invocations.length,
    });
  });
}

type Measured = Readonly<Record<'writeUnits' | 'readUnits' | 'storedBytes' | 'logBytes', number>>;

function linesOf({ writeUnits, readUnits, storedBytes, logBytes }: Measured): Line[] {
  const million = 1e6;
  const gbSeconds = invocations.reduce(
    (sum, { memoryGb, milliseconds }) => sum + (memoryGb * milliseconds) / 1_000,
    0,
  );
  const storedGb = (storedBytes * million) / bytesPerGb;
  const line = (what: string, count: string, dollarsPerSend: number): Line => ({
    what,
    count,
    dollars: dollarsPerSend * million,
  });
  return [
    line('DynamoDB writes', `${writeUnits.toFixed(1)} units`, writeUnits * aws.writeUnit),
    line('DynamoDB reads', `${readUnits.toFixed(1)} units`, readUnits * aws.readUnit),
    {
      what: `DynamoDB storage and backup, ${retentionMonths} months`,
      count: `${Math.round(storedBytes).toLocaleString('en-US')} bytes`,
      dollars: storedGb * retentionMonths * (aws.storageGbMonth + aws.backupGbMonth),
    },
    line('HTTP API requests', '2 requests (send, pixel)', 2 * aws.httpApiRequest),
    line('Lambda requests', `${invocations.length}`, invocations.length * aws.lambdaRequest),
    line(
      'Lambda duration, assumed',
      `${gbSeconds.toFixed(3)} GB-s`,
      gbSeconds * aws.lambdaGbSecond,
    ),
    line('SNS', '2 events', 2 * aws.snsPublish),
    line('CloudWatch Logs', `${Math.round(logBytes)} bytes`, (logBytes / bytesPerGb) * aws.logGb),
  ];
}

/** One send with all that follows of it. */
async function runStory({ description: { baseUrl, apiKey } }: MeteredStack): Promise<void> {
  const sent = await postSend(baseUrl, apiKey, {
    email: typicalEmail,
    idempotencyKey: randomUUID(),
  });
  await reportEvent(baseUrl, 'Send', sent);
  await reportEvent(baseUrl, 'Delivery', sent);
  await openEmail(baseUrl, sent);
}

/** Counts what is written to stdout, which on Lambda is the log, and shows none of it. */
function tapLog(): { stop(): number } {
  const { write } = process.stdout;
  let bytes = 0;
  process.stdout.write = (chunk: string | Uint8Array) => {
    bytes += Buffer.byteLength(chunk);
    return true;
  };
  return {
    stop: () => {
      process.stdout.write = write;
      return bytes;
    },
  };
}

const lines = await measureCost();
const total = lines.reduce((sum, { dollars }) => sum + dollars, 0);
const money = (dollars: number) => `$${dollars.toFixed(2)}`;
console.log(
  [
    `A million sends, each with its Send event, its Delivery and one open. AWS's prices in ${aws.region} of ${aws.asOf}, without free tiers.`,
    '',
    '| What | A send | A million sends |',
    '|---|---|---|',
    ...lines.map(({ what, count, dollars }) => `| ${what} | ${count} | ${money(dollars)} |`),
    `| **Besides SES** | | **${money(total)}** |`,
    `| SES itself | 1 email | ${money(aws.sesEmail * 1e6)} |`,
  ].join('\n'),
);
