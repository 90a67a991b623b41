import type { ReservationGroup } from '#shared/endpoints/lambda';
import type { DeploymentConfig } from './deployment-config.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';

/** What Lambda keeps for functions without a reservation (Lambda guide, "Reserved concurrency"). */
const neverReservable = 100;

/** What an SQS event source mapping takes (Lambda API reference, "ScalingConfig"). */
const fewestBatches = 2;
const mostBatches = 1_000;

/**
 * How many batches of first attempts at webhooks are under way at a time: a twentieth of what the account may
 * run. Receivers that hang hold them for 15 s each, and sends must not wait for that. With the 1,000 of an
 * account that has asked for it, 500 attempts; with the 10 of a new account, 20.
 */
export const firstAttemptBatches = ({
  lambdaConcurrency,
}: Pick<DeploymentConfig, 'lambdaConcurrency'>): number =>
  Math.min(Math.max(Math.floor(lambdaConcurrency / 20), fewestBatches), mostBatches);

type Pace = Pick<DeploymentConfig, 'lambdaConcurrency' | 'queuedSendsPerSecond'>;

/** What one process hands over comfortably: a call to SES takes some tenths of a second. */
const mostOfProcess = 25;

/** How many batches of queued sends are under way at a time: as many as the most they may send needs. */
export const senderBatches = ({ lambdaConcurrency, queuedSendsPerSecond = 0 }: Pace): number =>
  Math.min(
    Math.max(Math.ceil(queuedSendsPerSecond / mostOfProcess), fewestBatches),
    Math.max(Math.floor(lambdaConcurrency / 5), fewestBatches),
    mostBatches,
  );

/** The queue's processes and the scheduled run share the pace equally. */
export const sendRateShare = (config: Pace): number => 1 / (senderBatches(config) + 1);

type Reservations = Pick<DeploymentConfig, (typeof reservationSettings)[ReservationGroup]>;

const reservationSettings = {
  sending: 'reservedForSending',
  events: 'reservedForEvents',
  links: 'reservedForLinks',
  webhooks: 'reservedForWebhooks',
} as const satisfies Record<ReservationGroup, keyof DeploymentConfig>;

/** What the function may run at a time, and has for itself. */
export const reservedConcurrencyOf = (
  { reservation }: Pick<FunctionDeclaration, 'reservation'>,
  config: Reservations,
): number | undefined => reservation && config[reservationSettings[reservation]];

/**
 * @throws Error when AWS would refuse the reservations in the middle of a deployment, or when the webhook
 *   queue would be throttled, which counts against its messages.
 */
export function assertReservable(
  functions: readonly Pick<FunctionDeclaration, 'reservation'>[],
  config: Reservations & Pick<DeploymentConfig, 'lambdaConcurrency'>,
): void {
  const reserved = functions
    .map((declaration) => reservedConcurrencyOf(declaration, config) ?? 0)
    .reduce((sum, next) => sum + next, 0);
  const reservable = Math.max(config.lambdaConcurrency - neverReservable, 0);
  if (reserved > reservable) {
    throw new Error(
      `The settings reservedFor… reserve ${reserved} in all, and of the account's ${config.lambdaConcurrency} (lambdaConcurrency) AWS lets ${reservable} be reserved`,
    );
  }
  const batches = firstAttemptBatches(config);
  if (config.reservedForWebhooks !== undefined && config.reservedForWebhooks < batches) {
    throw new Error(
      `reservedForWebhooks (${config.reservedForWebhooks}) must be ${batches} at least, a twentieth of lambdaConcurrency, as the webhook queue invokes so many at a time`,
    );
  }
}
