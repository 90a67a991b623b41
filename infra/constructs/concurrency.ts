import { fewestSlowFetches } from '#shared/config/environment';
import type { ReservationGroup } from '#shared/endpoints/lambda';
import type { Settings } from '../settings/declaration.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';

/** Lambda keeps this much for functions without a reservation (Lambda guide, "Reserved concurrency"). */
const neverReservable = 100;

/** An SQS event source mapping's limits (Lambda API reference, "ScalingConfig"). */
const fewestBatches = 2;
const maxBatches = 1_000;

/**
 * Concurrent batches of first webhook attempts: a twentieth of the account's concurrency. A hanging receiver holds a
 * batch for 15 s, and sends mustn't wait for that. An account with 1,000 gets 500 attempts, a new one with 10 gets 20.
 */
export const firstAttemptBatches = ({
  lambdaConcurrency,
}: Pick<Settings, 'lambdaConcurrency'>): number =>
  Math.min(Math.max(Math.floor(lambdaConcurrency / 20), fewestBatches), maxBatches);

type Pace = Pick<Settings, 'lambdaConcurrency' | 'queuedSendsPerSecond'>;

/** Sends a second that one process handles comfortably: a call to SES takes a few tenths of a second. */
const maxSendsPerSecondOfProcess = 25;

export const senderBatches = ({ lambdaConcurrency, queuedSendsPerSecond = 0 }: Pace): number =>
  Math.min(
    Math.max(Math.ceil(queuedSendsPerSecond / maxSendsPerSecondOfProcess), fewestBatches),
    Math.max(Math.floor(lambdaConcurrency / 5), fewestBatches),
    maxBatches,
  );

/** The queue's processes and the scheduled run share the pace equally. */
export const sendRateShare = (config: Pace): number => 1 / (senderBatches(config) + 1);

const maxSlowFetches = 10;

/** Executions that an organization may tie up with files behind slow URLs: 2 of an account's 10, 10 of 500. */
export const slowFetchesAtOnce = ({
  lambdaConcurrency,
}: Pick<Settings, 'lambdaConcurrency'>): number =>
  Math.min(Math.max(Math.floor(lambdaConcurrency / 50), fewestSlowFetches), maxSlowFetches);

export type Reservations = Partial<Pick<Settings, (typeof reservationSettings)[ReservationGroup]>>;

const reservationSettings = {
  sending: 'reservedForSending',
  events: 'reservedForEvents',
  links: 'reservedForLinks',
  webhooks: 'reservedForWebhooks',
} as const satisfies Record<ReservationGroup, keyof Settings>;

/** Both the function's maximum and its own guaranteed share. */
export const reservedConcurrencyOf = (
  { reservation }: Pick<FunctionDeclaration, 'reservation'>,
  config: Reservations,
): number | undefined => reservation && config[reservationSettings[reservation]];

/**
 * Caught here, because AWS would otherwise reject the reservations halfway through a deployment, or throttle the
 * webhook queue, which uses up its messages' tries.
 */
export function unreservable(
  functions: readonly Pick<FunctionDeclaration, 'reservation'>[],
  config: Reservations & Pick<Settings, 'lambdaConcurrency'>,
): string | undefined {
  const reserved = functions
    .map((declaration) => reservedConcurrencyOf(declaration, config) ?? 0)
    .reduce((sum, next) => sum + next, 0);
  const reservable = Math.max(config.lambdaConcurrency - neverReservable, 0);
  if (reserved > reservable) {
    return `The reservedFor… settings reserve ${reserved} in total, but AWS allows only ${reservable} of the account's ${config.lambdaConcurrency} (lambdaConcurrency): reserve fewer, or none.`;
  }
  const batches = firstAttemptBatches(config);
  if (config.reservedForWebhooks !== undefined && config.reservedForWebhooks < batches) {
    return `reservedForWebhooks (${config.reservedForWebhooks}) must be at least ${batches}, a twentieth of lambdaConcurrency, because the webhook queue invokes that many at once.`;
  }
  return undefined;
}
