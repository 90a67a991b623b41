import { setTimeout as sleep } from 'node:timers/promises';
import { queuedShareOfRate } from '#shared/config/ses-settings';
import { openRequestLog } from '#shared/observability/request-log';

type SendRateSettings = {
  readonly most: number | undefined;
  /** This process's share of the rate. */
  readonly share: number;
};

/** Most accounts outside the sandbox have at least this. */
const rateWhileUnknown = 10;

/**
 * Queued emails per second that one process may hand to SES.
 *
 * @param ofAccount SES's rate for the account, if known.
 */
export function queuedSendRate(
  ofAccount: number | undefined,
  { most, share }: SendRateSettings,
): number {
  if (ofAccount === undefined) return (most ?? rateWhileUnknown) * share;
  return (most === undefined ? ofAccount * queuedShareOfRate : Math.min(most, ofAccount)) * share;
}

const keptMs = 5 * 60_000;
/** SES allows GetAccount about once a second for the whole account. */
const pauseAfterFailureMs = 60_000;
const longestFirstWaitMs = 2_000;

type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

const realClock: Clock = {
  now: Date.now,
  wait: (ms) => sleep(ms, undefined, { ref: false }),
};

/**
 * Only the first call waits for SES, and not for long. Later calls get the last known rate while it's refreshed.
 *
 * @returns a function that never throws, and returns `undefined` until SES has answered.
 */
export function keepSendRate(
  readRate: () => Promise<number | undefined>,
  { now, wait }: Clock = realClock,
): () => Promise<number | undefined> {
  let known: number | undefined;
  let askAgainAt = 0;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    try {
      known = (await readRate()) ?? known;
      askAgainAt = now() + keptMs;
    } catch (error) {
      askAgainAt = now() + pauseAfterFailureMs;
      openRequestLog({}).error('send rate not read', error);
    }
    asking = undefined;
  };

  return async () => {
    if (asking === undefined && now() >= askAgainAt) asking = ask();
    if (known === undefined && asking !== undefined) {
      await Promise.race([asking, wait(longestFirstWaitMs)]);
    }
    return known;
  };
}
