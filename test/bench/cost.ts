import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { functionCatalogue, memoryOf } from '../../infra/constructs/function-catalogue.ts';
import {
  measuredCosts,
  sesPricePlans,
  sesPrices,
  wordsOfPlan,
} from '../../infra/settings/ses-prices.ts';
import { settings } from '../../infra/settings/settings.ts';
import { withParts } from './child.ts';
import { type MeteredStack, startMeteredStack } from './metered-stack.ts';
import type { Report } from './row.ts';
import { openEmail, postSend, reportEvent, typicalEmail } from './sends.ts';

/**
 * AWS's public on-demand prices in us-east-1, in dollars, without free tiers and volume discounts. They
 * were collected on this day from pages that quote AWS's own, named below: look there before a decision.
 */
const aws = {
  asOf: '2026-11-21',
  region: 'us-east-1',
  /** aws.amazon.com/api-gateway/pricing, HTTP API, up to 512 KB a request. */
  httpApiRequest: 1.0e-6,
  /** aws.amazon.com/lambda/pricing, arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  storageGbMonth: 0.25,
  /** Point-in-time recovery, of the table's size. */
  backupGbMonth: 0.2,
  /** aws.amazon.com/sns/pricing, standard topic; deliveries to Lambda cost nothing. */
  snsPublish: 0.5e-6,
  /** aws.amazon.com/sqs/pricing, standard queue, each 64 KB of each call. */
  sqsRequest: 0.4e-6,
  /** aws.amazon.com/cloudwatch/pricing, standard log class. */
  logGb: 0.5,
} as const;

/**
 * How long the functions wait for SES and DynamoDB, and the time they take on a whole vCPU. They were not measured on
 * AWS: assumptions, a send's CPU as `npm run bench -- send` has it here.
 */
const invocations = [
  { name: 'send-email', waitMs: 112, cpuMs: 5 },
  { name: 'record-provider-event', waitMs: 10, cpuMs: 1.5 },
  { name: 'record-provider-event', waitMs: 15, cpuMs: 1.5 },
  { name: 'track-open', waitMs: 15, cpuMs: 1.5 },
] as const;
/** A function of that size has one vCPU, a smaller one its share (Lambda developer guide, "Configure memory"). */
const megabytesOfVcpu = 1769;

function gbSecondsOf({ name, waitMs, cpuMs }: (typeof invocations)[number]): number {
  const declaration = functionCatalogue.find((one) => one.name === name);
  if (declaration === undefined) throw new Error(`No function ${name}`);
  const megabytes = memoryOf(declaration, settings());
  const milliseconds = waitMs + (cpuMs * megabytesOfVcpu) / megabytes;
  return (megabytes / 1_024) * (milliseconds / 1_000);
}

/** A request's line in the API's access log, as `service-http-api.ts` has it written. */
const accessLogLine = JSON.stringify({
  sourceIp: '203.0.113.57',
  requestId: 'ByCpLQrWNxtQlk0=',
  routeKey: 'POST /api/v1/emails/send',
  status: '200',
  responseLatency: '124',
  integrationStatus: '200',
  integrationLatency: '121',
  integrationError: '-',
});
const requests = 2;
/** CloudWatch Logs counts 26 bytes more for each line (its API reference, "PutLogEvents"). */
const bytesPerLine = 26;
const retentionMonths = 3;
const bytesPerGb = 1e9;

type Line = { readonly what: string; readonly count: string; readonly dollars: number };

/** What a million sends cost besides SES, each with its Send, its Delivery and one open. */
export const benchCost = (small: boolean): Promise<Report> =>
  withParts(async (keep) => {
    const stack = keep(await startMeteredStack({ quiet: false }));
    const log = tapLog();
    try {
      return { rows: [], details: render(linesOf(await measure(stack, log, small ? 1 : 50))) };
    } finally {
      log.stop();
    }
  });

async function measure(stack: MeteredStack, log: LogTap, sends: number): Promise<Measured> {
  // The first send makes the contact, and functions load.
  await runStory(stack);
  stack.meter.clear();
  const logged = log.bytes();
  for (let send = 0; send < sends; send += 1) await runStory(stack);
  await sleep(200);
  const perSend = (units: 'readUnits' | 'writeUnits') =>
    stack.meter.calls.reduce((sum, call) => sum + call[units], 0) / sends;
  return {
    writeUnits: perSend('writeUnits'),
    readUnits: perSend('readUnits'),
    storedBytes: stack.meter.storedBytes() / sends,
    logBytes: (log.bytes() - logged) / sends + requests * (accessLogLine.length + bytesPerLine),
  };
}

type Measured = Readonly<Record<'writeUnits' | 'readUnits' | 'storedBytes' | 'logBytes', number>>;

function linesOf({ writeUnits, readUnits, storedBytes, logBytes }: Measured): Line[] {
  const million = 1e6;
  const gbSeconds = invocations.reduce((sum, invocation) => sum + gbSecondsOf(invocation), 0);
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
    line('HTTP API requests', `${requests} requests (send, pixel)`, requests * aws.httpApiRequest),
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

type LogTap = { bytes(): number; stop(): void };

/** Counts what is written to stdout, which is the log on Lambda, and shows none of it. */
function tapLog(): LogTap {
  const { write } = process.stdout;
  let bytes = 0;
  process.stdout.write = (chunk: string | Uint8Array) => {
    bytes += Buffer.byteLength(chunk) + bytesPerLine;
    return true;
  };
  return {
    bytes: () => bytes,
    stop: () => {
      process.stdout.write = write;
    },
  };
}

function render(lines: readonly Line[]): string {
  const total = lines.reduce((sum, { dollars }) => sum + dollars, 0);
  const money = (dollars: number) => `$${dollars.toFixed(2)}`;
  return [
    `A million sends, each with its Send event, its Delivery and one open. AWS's prices in ${aws.region} of ${aws.asOf}, without free tiers; SES's as others quote them.`,
    '',
    '| What | A send | A million sends |',
    '|---|---|---|',
    ...lines.map(({ what, count, dollars }) => `| ${what} | ${count} | ${money(dollars)} |`),
    `| **Besides SES** | | **${money(total)}** |`,
    ...sesPricePlans.map((plan) => {
      const { thousand, month } = sesPrices[plan];
      return `| SES itself, ${wordsOfPlan(plan)} | 1 recipient | ${money(thousand * 1e3 + month)} |`;
    }),
    ...(Math.abs(total - measuredCosts.millionSends) < 0.005
      ? []
      : [
          '',
          `infra/settings/ses-prices.ts says ${money(measuredCosts.millionSends)}: correct it.`,
        ]),
  ].join('\n');
}
