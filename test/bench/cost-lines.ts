import { sesPricePlans, sesPrices, wordsOfPlan } from '#shared/config/ses-prices';
import { functionCatalogue, memoryOf } from '../../infra/constructs/function-catalogue.ts';
import { settings } from '../../infra/settings/settings.ts';

/**
 * AWS's public on-demand prices in us-east-1, in dollars, without free tiers and volume discounts. They
 * were collected on this day from pages that quote AWS's own, named below: look there before a decision.
 */
export const aws = {
  asOf: '2026-11-21',
  region: 'us-east-1',
  /** aws.amazon.com/api-gateway/pricing, HTTP API, up to 512 KB a request. */
  httpApiRequest: 1.0e-6,
  /** aws.amazon.com/lambda/pricing, arm64. */
  lambdaRequest: 0.2e-6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class. Lambda's reads of the stream cost nothing. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  storageGbMonth: 0.25,
  /** Point-in-time recovery, of the table's size. */
  backupGbMonth: 0.2,
  /** aws.amazon.com/sns/pricing, standard topic; deliveries to Lambda cost nothing. */
  snsPublish: 0.5e-6,
  /** aws.amazon.com/sqs/pricing, standard queue, each 64 KB of each call. */
  sqsRequest: 0.4e-6,
  /** aws.amazon.com/cloudwatch/pricing, standard log class: taken in, and kept for the default 30 days. */
  logGb: 0.5,
  logGbMonth: 0.03,
  /** The same page: a custom metric, by name and dimensions, in a month in which it is published all the time. */
  metricMonth: 0.3,
  /** aws.amazon.com/ec2/pricing/on-demand, to the internet, also from Lambda and API Gateway. */
  transferGb: 0.09,
} as const;

/**
 * How long the functions wait for SES, DynamoDB and receivers, and the time they take on a whole vCPU, for one
 * invocation. They were not measured on AWS: assumptions, a send's CPU as `npm run bench -- send` has it here.
 */
const durations = {
  'send-email': { waitMs: 112, cpuMs: 5 },
  // Of a Send event, and of a Delivery, which is also written.
  'record-provider-event': { waitMs: 12.5, cpuMs: 1.5 },
  'track-open': { waitMs: 15, cpuMs: 1.5 },
  'count-usage': { waitMs: 30, cpuMs: 4 },
  'index-contacts': { waitMs: 20, cpuMs: 3 },
  // A receiver that answers within 200 ms, a new connection to it included.
  'deliver-webhooks': { waitMs: 215, cpuMs: 4 },
} as const satisfies Readonly<Record<string, { waitMs: number; cpuMs: number }>>;

const isAssumed = (name: string): name is keyof typeof durations => Object.hasOwn(durations, name);

/** A function of that size has one vCPU, a smaller one its share (Lambda developer guide, "Configure memory"). */
const megabytesOfVcpu = 1769;

function gbSecondsOf(name: string): number {
  const declaration = functionCatalogue.find((one) => one.name === name);
  if (declaration === undefined || !isAssumed(name)) {
    throw new Error(`Nobody has assumed how long ${name} takes: test/bench/cost-lines.ts`);
  }
  const { waitMs, cpuMs } = durations[name];
  const megabytes = memoryOf(declaration, settings());
  const milliseconds = waitMs + (cpuMs * megabytesOfVcpu) / megabytes;
  return (megabytes / 1_024) * (milliseconds / 1_000);
}

/** What goes out beside the bytes of HTTP, on a connection of its own: a server's certificates, a client's hello. */
export const handshakeBytes = { ofServer: 4_500, ofClient: 1_000 } as const;

/** What one send used, on average. */
export type Used = Readonly<
  Record<
    | 'writeUnits'
    | 'readUnits'
    | 'storedBytes'
    | 'httpRequests'
    | 'snsEvents'
    | 'sqsRequests'
    | 'logBytes'
    | 'bytesOut',
    number
  >
> & {
  /** Functions by name: how often each ran. */
  readonly invocations: ReadonlyMap<string, number>;
};

export type Line = { readonly what: string; readonly count: string; readonly dollars: number };

const retentionMonths = 3;
const bytesPerGb = 1e9;
const million = 1e6;

const total = (numbers: Iterable<number>): number =>
  [...numbers].reduce((sum, number) => sum + number, 0);

const units = (count: number): string => `${count.toFixed(1)} units`;
const bytes = (count: number): string =>
  `${(Math.round(count / 10) * 10).toLocaleString('en-US')} bytes`;

export function linesOf(used: Used): readonly Line[] {
  const invocations = total(used.invocations.values());
  const gbSeconds = total(
    used.invocations.entries().map(([name, count]) => count * gbSecondsOf(name)),
  );
  const ran = [...used.invocations]
    .map(([name, count]) => `${count.toFixed(2)} ${name}`)
    .join(', ');
  const storage = retentionMonths * (aws.storageGbMonth + aws.backupGbMonth);
  const logs = aws.logGb + aws.logGbMonth;
  const line = (what: string, count: string, dollarsPerSend: number): Line => ({
    what,
    count,
    dollars: dollarsPerSend * million,
  });
  return [
    line('DynamoDB writes', units(used.writeUnits), used.writeUnits * aws.writeUnit),
    line('DynamoDB reads', units(used.readUnits), used.readUnits * aws.readUnit),
    line(
      `DynamoDB storage and backup, ${retentionMonths} months`,
      bytes(used.storedBytes),
      (used.storedBytes / bytesPerGb) * storage,
    ),
    line('HTTP API requests', `${used.httpRequests}`, used.httpRequests * aws.httpApiRequest),
    line('Lambda requests', `${invocations.toFixed(2)}: ${ran}`, invocations * aws.lambdaRequest),
    line(
      'Lambda duration, assumed',
      `${gbSeconds.toFixed(3)} GB-s`,
      gbSeconds * aws.lambdaGbSecond,
    ),
    line('SNS', `${used.snsEvents} events`, used.snsEvents * aws.snsPublish),
    line('SQS', `${used.sqsRequests.toFixed(1)} requests`, used.sqsRequests * aws.sqsRequest),
    line('CloudWatch Logs', bytes(used.logBytes), (used.logBytes / bytesPerGb) * logs),
    line(
      'Transfer to the internet',
      bytes(used.bytesOut),
      (used.bytesOut / bytesPerGb) * aws.transferGb,
    ),
  ].filter(({ dollars }) => dollars !== 0);
}

export const dollarsOf = (used: Used): number => total(linesOf(used).map(({ dollars }) => dollars));

export const money = (dollars: number): string => `$${dollars.toFixed(2)}`;

export const sesLines = (): readonly string[] =>
  sesPricePlans.map((plan) => {
    const { thousand, month } = sesPrices[plan];
    return `| SES itself, ${wordsOfPlan(plan)} | 1 recipient | ${money(thousand * 1e3 + month)} |`;
  });
