import {
  type Authentication,
  authenticateManager,
  type Manager,
} from '#shared/access/authenticate';
import { ServiceError } from '#shared/errors/service-error';
import { type Lifting, liftSuppressions as liftOf } from '#shared/suppressions/lift-suppressions';
import {
  type Suppression,
  type SuppressionListStore,
  type SuppressionPosition,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { type ListedSuppression, readSuppressions } from '#shared/suppressions/suppression-search';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { mostExamined } from '#shared/table/list-search';
import { backOff } from '#shared/timing/backoff';
import { inParallel } from '#shared/timing/in-parallel';
import type { LiftSuppressionsRequest } from './endpoint.ts';

export type LiftingMany = Authentication &
  Lifting & { readonly suppressions: SuppressionListStore };

export type LiftManyResult = {
  readonly dryRun: boolean;
  readonly matched: number;
  readonly lifted: number;
  readonly removedFromProviderList: number;
  readonly examples: readonly Suppression[];
  /** `null` when all that fit were looked at, or lifted. */
  readonly nextCursor: string | null;
};

const mostExamples = 20;

/**
 * Lifts the suppressions of a window of time whose diagnostic has these words, newest first, as far as one
 * request goes. A dry run, which it is unless told otherwise, only says which they are.
 *
 * What is lifted stays lifted: a request that ended half-way is repeated, or gone on with at its cursor.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `provider_throttled` if SES
 *   let nothing through
 */
export async function liftSuppressions(
  credential: string | undefined,
  parse: () => LiftSuppressionsRequest,
  lifting: LiftingMany,
): Promise<LiftManyResult> {
  const manager = await authenticateManager(credential, lifting);
  const { cursor, ...filters } = parse();
  const scope = { list: 'suppressions/lift', owner: manager.cursorOwner, filters };
  const before = openCursor(cursor, suppressionPositionSchema, scope);
  const { from: since, until, reason, diagnostic, dryRun } = filters;
  const words = diagnostic?.toLowerCase();
  const { found, next } = await readSuppressions(
    manager.organizationId,
    {
      reason,
      since,
      until,
      before,
      limit: mostExamined,
      matches: (one) => words === undefined || hasWords(one, words),
    },
    lifting.suppressions,
  );
  const { next: end, ...counts } = dryRun
    ? { lifted: 0, removedFromProviderList: 0, next }
    : await liftAll(found, next, manager, lifting);
  const examples = found.slice(0, mostExamples);
  const nextCursor = sealCursor(end, scope);
  return { dryRun, matched: found.length, ...counts, examples, nextCursor };
}

const hasWords = ({ diagnostic }: Suppression, words: string): boolean =>
  diagnostic?.toLowerCase().includes(words) === true;

/** How long a request goes on to further addresses. HTTP API ends a request after 30 seconds. */
export const budgetMs = 20_000;
const concurrency = 4;

/** Lifts the suppressions in their order, a few at a time, until the time is over. */
async function liftAll(
  found: readonly ListedSuppression[],
  next: SuppressionPosition | undefined,
  manager: Manager,
  lifting: LiftingMany,
) {
  const deadline = lifting.now() + budgetMs;
  const counts = { lifted: 0, removedFromProviderList: 0 };
  let handled = 0;
  for (; handled < found.length; handled += concurrency) {
    if (lifting.now() >= deadline) break;
    const group = found.slice(handled, handled + concurrency);
    const outcomes: (Awaited<ReturnType<typeof liftOne>> | 'throttled')[] = [];
    await inParallel(group, concurrency, async (suppression) => {
      outcomes.push(await untilThrottled(suppression, manager, lifting, deadline));
    });
    counts.lifted += outcomes.filter((one) => one !== 'throttled' && one !== 'gone').length;
    counts.removedFromProviderList += outcomes.filter((one) => one === 'removed').length;
    if (outcomes.includes('throttled')) break;
  }
  const last = found[handled - 1];
  if (handled >= found.length) return { ...counts, next };
  if (counts.lifted === 0) throw throttled();
  // Those of an unfinished group that were lifted are not found again.
  return { ...counts, next: last?.position };
}

const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** SES lets about one such call a second through. */
async function untilThrottled(
  suppression: ListedSuppression,
  manager: Manager,
  lifting: LiftingMany,
  deadline: number,
) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await liftOne(suppression, manager, lifting);
    } catch (error) {
      const isThrottled = error instanceof ServiceError && error.code === 'provider_throttled';
      if (!isThrottled) throw error;
      if (lifting.now() >= deadline) return 'throttled';
      await backOff(attempt, firstPauseMs, longestPauseMs);
    }
  }
}

/** @returns `gone` when the suppression was lifted meanwhile. */
async function liftOne(
  { contactId, reason }: Suppression,
  manager: Manager,
  lifting: LiftingMany,
): Promise<Awaited<ReturnType<typeof liftOf>> | 'gone'> {
  const { suppressions: all } = await lifting.suppressions.ofContact(contactId);
  if (!all.some((one) => one.reason === reason)) return 'gone';
  try {
    return await liftOf({ contactId, all, reasons: [reason] }, manager, lifting);
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === 'concurrent_change';
    if (isGone) return 'gone';
    throw error;
  }
}

const throttled = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'Amazon SES is limiting calls about its own suppression list. Nothing was lifted: wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: 2 },
  );
