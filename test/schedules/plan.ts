import type { SendRequest } from '#shared/sending/request/send-request';
import { buildEmailAddress } from '../support/email-address-builder.ts';
import { leaseMs } from '../support/send-builder.ts';
import { buildSendRequest } from '../support/send-request-builder.ts';
import type { BatchClient } from './clients.ts';
import { anyDelay, type Delay, exactly, within } from './delays.ts';
import type { Dice } from './dice.ts';
import { type FaultPlan, planFaults } from './faults.ts';
import type { SesBehaviour } from './simulated-ses.ts';
import type { ChangeOfMind } from './workers.ts';

/**
 * Which events come after the doubt window. With `none`, some proof of each message surely comes within
 * it. Else it may be that nothing does.
 */
export type Lateness = 'none' | 'send' | 'all';

/** A client that will ask for an email. */
export type PlannedClient = {
  readonly name: string;
  readonly subject: string;
  readonly request: SendRequest;
  readonly isTest: boolean;
  readonly maxTries: number;
  readonly isBatched: boolean;
  readonly isPatient: boolean;
  readonly comesIn: Delay;
};

/** A client that will ask for several emails at once. */
export type PlannedBatch = Omit<BatchClient, 'faults'> & { readonly comesIn: Delay };

/** Somebody who will change a waiting send's plan. */
export type PlannedChange = {
  readonly subject: string;
  readonly mind: ChangeOfMind;
  readonly comesIn: Delay;
};

/** What a schedule consists of. Its course depends on the dice, too. */
export type Plan = {
  readonly clients: readonly PlannedClient[];
  readonly batches: readonly PlannedBatch[];
  readonly changes: readonly PlannedChange[];
  /** How long workers retry what SES doesn't take. */
  readonly patienceMs: number;
  readonly webhooks: number;
  readonly faults: FaultPlan;
  /** Sends expire while the schedule runs, and keys are reused. */
  readonly isForgetful: boolean;
  readonly retentionMs: number;
  readonly ses: readonly (readonly [SesBehaviour, number])[];
  readonly bouncing: ReadonlySet<string>;
  /** See `CourierSettings`. */
  readonly unreadableRate: number;
  readonly lonelyProofRate: number;
};

/** When every schedule begins. */
export const start = 1_750_000_000_000;

const dayMs = 86_400_000;
const goodAddresses = ['ann@example.com', 'bob@example.com'] as const;
const badAddress = 'nobody@example.com';
const testKey = 'T';
/** Only matters for test keys. */
export const complainingAddress = 'complaint@simulator.amazonses.com';

export function makePlan(dice: Dice, lateness: Lateness): Plan {
  const isForgetful = lateness === 'none' && dice.chance(0.2);
  const forgetfulMs = Math.round(leaseMs * (2.5 + dice.between(0, 20) / 10));
  const retentionMs = isForgetful ? forgetfulMs : 90 * dayMs;
  const leases = [leaseMs, 2 * leaseMs] as const;
  // Delays after which things meet: leases end, sends expire.
  const landmarks: FaultPlan['landmarks'] = isForgetful
    ? [...leases, retentionMs, retentionMs]
    : leases;
  // Requests for T use a test key.
  const keys = dice.weighted([
    [['A'], 3],
    [['A', 'B'], 3],
    [['A', 'B', 'C'], 3],
    [['A', testKey], 2],
    [[testKey], 1],
  ]);
  const ways = new Map(keys.map((key) => [key, wayOf(dice)]));
  const clients = keys.flatMap((key) => clientsOf(key, ways.get(key), dice, landmarks));
  const lonely = ['no key 1', 'no key 2'].slice(0, dice.between(0, 2));
  return {
    clients: [...clients, ...lonely.map((name) => lonelyClient(name, dice))],
    batches: batchesOf(clients, dice, landmarks),
    changes: keys.flatMap((key) =>
      ways.get(key) === undefined ? [] : changesOf(key, dice, landmarks),
    ),
    // A send lives much longer than its retries.
    patienceMs: isForgetful ? 120_000 : dice.pick([120_000, 900_000, 3_600_000]),
    webhooks: dice.between(0, 2),
    faults: planFaults(dice, landmarks),
    isForgetful,
    retentionMs,
    ses: [
      ['accepts', dice.between(2, 10)],
      ['refuses', dice.between(0, 5)],
      ['throttles', dice.between(0, 3)],
      ['accepts without an answer', dice.between(0, 5)],
      ['never gets it', dice.between(0, 4)],
    ],
    bouncing: new Set([badAddress]),
    // Where sends expire soon, a late event may be too late to report its message.
    lonelyProofRate: isForgetful ? 0 : 0.3,
    unreadableRate: isForgetful ? 0 : dice.pick([0, 0.4]),
  };
}

/** How an email is sent if not immediately. */
type Way = Pick<SendRequest, 'sendAt' | 'mode'>;

const wayOf = (dice: Dice): Way | undefined =>
  dice.weighted<Way | undefined>([
    [undefined, 5],
    [{ mode: 'queued' }, 3],
    [{ sendAt: start + dice.between(0, 2 * leaseMs) }, 3],
  ]);

const changesOf = (
  subject: string,
  dice: Dice,
  landmarks: FaultPlan['landmarks'],
): PlannedChange[] =>
  Array.from({ length: dice.pick([0, 0, 1, 1, 2, 3]) }, () => ({
    subject,
    mind: dice.chance(0.4)
      ? ({ kind: 'cancel' } as const)
      : ({ kind: 'move', sendAt: start + dice.between(0, 3 * leaseMs) } as const),
    comesIn: dice.chance(0.5) ? within(dice.between(10, 5_000)) : anyDelay(dice, landmarks),
  }));

function clientsOf(
  key: string,
  way: Way | undefined,
  dice: Dice,
  landmarks: FaultPlan['landmarks'],
): PlannedClient[] {
  const isTest = key === testKey;
  const plain = requestOf(key, dice, isTest ? complainingAddress : badAddress);
  return Array.from({ length: dice.between(2, 5) }, (_, index) => {
    // Switching between sending now and later is the same request.
    const request = { ...plain, ...(way?.mode !== undefined && dice.chance(0.2) ? {} : way) };
    return {
      name: `${key}/${index + 1}`,
      subject: key,
      request: dice.chance(0.12) ? anotherBody(request, dice) : request,
      isTest,
      maxTries: dice.between(1, 6),
      isBatched: dice.chance(0.3),
      isPatient: dice.chance(0.75),
      comesIn: dice.weighted<Delay>([
        [exactly(dice.between(0, 30)), 5],
        [exactly(dice.between(0, 3_000)), 3],
        [anyDelay(dice, landmarks), landmarks.length],
      ]),
    };
  });
}

/** Batches of what the clients ask for, too, so a key occurs in several of them and in single requests. */
const batchesOf = (
  clients: readonly PlannedClient[],
  dice: Dice,
  landmarks: FaultPlan['landmarks'],
): PlannedBatch[] =>
  Array.from({ length: dice.pick([0, 0, 1, 2, 3]) }, (_, index) => {
    // Its one API key is a test key, or none is.
    const isTest = dice.chance(0.5) && clients.some((client) => client.isTest);
    const ofMode = clients.filter((client) => client.isTest === isTest);
    const ofKeys = [...Map.groupBy(ofMode, ({ subject }) => subject).values()];
    const isStrict = dice.chance(0.4);
    return {
      name: `batch ${index + 1}`,
      emails: ofKeys.flatMap(([first, ...others]) =>
        first === undefined || dice.chance(0.2) ? [] : [dice.pick([first, ...others])],
      ),
      isTest,
      isStrict,
      hasFault: dice.chance(isStrict ? 0.1 : 0.3),
      maxTries: dice.between(1, 5),
      isPatient: dice.chance(0.75),
      comesIn: dice.chance(0.6) ? exactly(dice.between(0, 3_000)) : anyDelay(dice, landmarks),
    };
  }).filter(({ emails }) => emails.length > 0);

const lonelyClient = (name: string, dice: Dice): PlannedClient => ({
  name,
  subject: name,
  request: requestOf(undefined, dice),
  isTest: false,
  // It would be another email.
  maxTries: 1,
  isBatched: dice.chance(0.3),
  isPatient: true,
  comesIn: exactly(dice.between(0, 20_000)),
});

const requestOf = (
  idempotencyKey: string | undefined,
  dice: Dice,
  bad: string = badAddress,
): SendRequest =>
  buildSendRequest({
    to: buildEmailAddress(dice.chance(0.3) ? bad : dice.pick(goodAddresses)),
    cc: dice.chance(0.2) ? [buildEmailAddress('cy@example.com')] : [],
    bcc: dice.chance(0.2) ? [buildEmailAddress('di@example.com')] : [],
    idempotencyKey,
  });

const anotherBody = (request: SendRequest, dice: Dice): SendRequest =>
  dice.chance(0.5)
    ? { ...request, content: 'Thank you very much.' }
    : { ...request, to: buildEmailAddress('eve@example.com') };
