import * as z from 'zod/mini';
import type { SubscribedManager } from '#shared/access/admit-caller';
import { knowsRetention } from '#shared/aws/settings';
import { workBudgetMs } from '#shared/config/work-budget';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { type Lifting, liftFromContact } from '#shared/suppressions/lift-from-contact';
import { removesFromProviderList } from '#shared/suppressions/ses-suppression-list';
import {
  getSuppressedContact,
  type ListedSuppression,
  readSuppressions,
  type Suppression,
  type SuppressionPosition,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { maxExamined } from '#shared/table/list-search';
import { backOff } from '#shared/timing/backoff';
import { inParallel } from '#shared/timing/in-parallel';
import { momentInBody } from '#shared/timing/moment';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

type LiftManyResult = {
  readonly dryRun: boolean;
  readonly matched: number;
  readonly lifted: number;
  readonly removedFromProviderList: number;
  readonly examples: readonly Suppression[];
  /** `null` once all matches were shown or lifted. */
  readonly nextCursor: string | null;
};

type Begin = z.infer<typeof beginSchema>;

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/suppressions/lift',
    access: { key: 'required', scope: ['suppressions_manage', 'manage_organization'] },
    body: z.strictObject({
      from: momentInBody,
      until: momentInBody,
      reason: z._default(z.enum(suppressionReasons), 'bounce'),
      diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
      dryRun: z._default(z.boolean(), true),
      cursor: z.exactOptional(z.string()),
    }),
    answers: {
      200: {
        body: z.object({
          dryRun: z.boolean(),
          matched: z.int(),
          lifted: z.int(),
          removedFromProviderList: z.int(),
          examples: z.array(suppressionViewSchema),
          nextCursor: z.nullable(z.string()),
        }),
        description: 'What matches, and how much of it was lifted.',
        example: {
          dryRun: false,
          matched: 1,
          lifted: 1,
          removedFromProviderList: 1,
          examples: [{ ...exampleSuppression, diagnostic: 'smtp; 550 5.7.26 not authenticated' }],
          nextCursor: null,
        },
      },
    },
    errors: ['provider_throttled'],
    isLimited: true,
    uses: {
      providerList: removesFromProviderList,
      wakeQueue: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
    lambda: { stack: 'Recipients', ...liftsSuppressions, queriesIndexes: ['gsi2'] },
    words: {
      section: 'Suppressions',
      summary: 'Lift many suppressions at once',
      description: `For your own mistakes, such as a broken DNS record, that made good addresses bounce. Look first, then repeat the request with \`"dryRun": false\`.

One request looks at ${maxExamined} suppressions and works for ${workBudgetMs / 1_000} seconds: SES allows about one call a second. Repeat the request with \`nextCursor\` as \`cursor\` until it’s \`null\`.`,
      fields: {
        ...suppressionFields('examples'),
        from: `Suppressed at this time or later: ${momentForms}`,
        until: 'Suppressed before this time, in the same forms.',
        reason: 'The reason to lift.',
        diagnostic: 'Words that the diagnostic contains, in any case.',
        dryRun: 'Lifts only if this is `false`.',
        matched: 'How many suppressions match, among those that this request looked at.',
        lifted: 'How many it lifted.',
        removedFromProviderList: 'How many addresses it took off SES’s own list.',
        examples: 'The newest matches, at most 20.',
      },
      example: {
        body: {
          from: '2026-11-20T08:00:00Z',
          until: '2026-11-20T12:00:00Z',
          diagnostic: 'not authenticated',
          dryRun: false,
        },
      },
    },
  },
  async (request, lifting) => {
    const { examples, ...result } = await liftSuppressions(request, lifting);
    return { ...result, examples: examples.map(toSuppressionView) };
  },
);

const maxExamples = 20;

/** For a first page that must be repeated: no suppression comes before it. */
const start = 'start';

const beginSchema = z.union([suppressionPositionSchema, z.literal(start)]);

/**
 * Lifts a period's suppressions whose diagnostic contains these words, newest first, as many as one request can. A dry
 * run by default. Repeat a request that ended half-way, or continue at its cursor.
 *
 * @throws ServiceError `provider_throttled` if SES let nothing through.
 */
export async function liftSuppressions(
  { caller, body: { cursor, ...filters } }: RequestTo<typeof endpoint>,
  lifting: Lifting,
): Promise<LiftManyResult> {
  const scope = { list: 'suppressions/lift', owner: caller.cursorOwner, filters };
  const begin = unsealCursor(cursor, beginSchema, scope) ?? start;
  const { from: since, until, reason, diagnostic, dryRun } = filters;
  const words = diagnostic?.toLowerCase();
  const { found, next } = await readSuppressions(lifting.table, caller.organizationId, {
    reason,
    since,
    until,
    before: begin === start ? undefined : begin,
    limit: maxExamined,
    matches: (one) => words === undefined || hasWords(one, words),
  });
  const { next: end, ...counts } = dryRun
    ? { lifted: 0, removedFromProviderList: 0, next }
    : await liftAll(found, { begin, next }, caller, lifting);
  const examples = found.slice(0, maxExamples);
  const nextCursor = sealCursor(end, scope);
  return { dryRun, matched: found.length, ...counts, examples, nextCursor };
}

const hasWords = ({ diagnostic }: Suppression, words: string): boolean =>
  diagnostic?.toLowerCase().includes(words) === true;

const concurrency = 4;

/** Lifts in order, a few at a time, until time is up. The page is repeated if not even its first few are done. */
async function liftAll(
  found: readonly ListedSuppression[],
  { begin, next }: { readonly begin: Begin; readonly next: SuppressionPosition | undefined },
  manager: SubscribedManager,
  lifting: Lifting,
) {
  const deadline = lifting.now() + workBudgetMs;
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
  if (handled >= found.length) return { ...counts, next };
  const last = found[handled - 1];
  if (last === undefined && counts.lifted === 0) throw throttled();
  // Suppressions of an unfinished group that were lifted aren't found again.
  return { ...counts, next: last?.position ?? begin };
}

const firstPauseMs = 200;

const longestPauseMs = 2_000;

/** SES allows about one such call a second. */
async function untilThrottled(
  suppression: ListedSuppression,
  manager: SubscribedManager,
  lifting: Lifting,
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

/** @returns `gone` if another request lifted it in between. */
async function liftOne(
  { contactId, reason }: Suppression,
  manager: SubscribedManager,
  lifting: Lifting,
): Promise<Awaited<ReturnType<typeof liftFromContact>> | 'gone'> {
  const { suppressions: all } = await getSuppressedContact(lifting.table, contactId);
  if (!all.some((one) => one.reason === reason)) return 'gone';
  try {
    return await liftFromContact({ contactId, all, reasons: [reason] }, manager, lifting);
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === 'concurrent_change';
    if (isGone) return 'gone';
    throw error;
  }
}

const throttled = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'SES is throttling calls to its own suppression list. Nothing was lifted: wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: 2 },
  );
