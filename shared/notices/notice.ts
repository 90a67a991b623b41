import * as z from 'zod/mini';
import { expiryAfter } from '#shared/table/expiry';
import { dayOf } from '#shared/timing/day';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';

/** What an organization is emailed about. */
export const noticeCauses = [
  'webhook_failing',
  'webhook_disabled',
  'bounce_rate',
  'complaint_rate',
  'identity_active',
  'identity_lost',
  'tenant_paused',
  'key_spiking',
  // Asks `noticeEmail` whether it wants the others: `confirmation.ts`.
  'confirmation',
] as const;
export type NoticeCause = (typeof noticeCauses)[number];

/** Daily notices per organization, of all causes. */
const mostADay = 20;
/** Webhooks are the only cause that users can multiply: leave room for the others. */
const mostOfWebhooksADay = 10;

/** How many notices the day may have before one of this cause. */
export const mostBefore = (cause: NoticeCause): number =>
  cause === 'webhook_failing' || cause === 'webhook_disabled' ? mostOfWebhooksADay : mostADay;

/**
 * What an organization that can't send gets from the deployment's own address: the news that it can't. The rest waits.
 */
const fromDeployment: ReadonlySet<NoticeCause> = new Set(['identity_lost', 'tenant_paused']);

export const mayComeFromDeployment = (cause: NoticeCause): boolean => fromDeployment.has(cause);

/**
 * An email of the service to an organization's `noticeEmail`. There is one for each cause, what it is about,
 * and day. `functions/send-notices/send-notices.ts` says when it is tried again.
 *
 * | from   | to      | when                                                                     |
 * |--------|---------|--------------------------------------------------------------------------|
 * | (none) | due     | it is filed                                                              |
 * | due    | due     | it could not be sent: it is tried again later                            |
 * | due    | settled | it was sent, nobody has confirmed `noticeEmail`, or the day has enough   |
 * | due    | (none)  | it expires after `keptDays` in which nothing could send it               |
 */
export const noticeSchema = z.object({
  organizationId: organizationIdSchema,
  cause: z.enum(noticeCauses),
  /** The endpoint, domain, key or month that it is about. No address. */
  about: z.string(),
  /** `YYYY-MM-DD`, UTC. */
  day: z.string(),
  subject: z.string(),
  /** Plain text, so nothing in it is tracked. */
  text: z.string(),
  /** When it was filed, epoch milliseconds. */
  at: z.int(),
  /** How often it could not be sent. */
  attempts: z.int(),
  /** The day on which it was counted among the emails of the organization. */
  countedOn: z.optional(z.string()),
  /** Epoch seconds. */
  expiresAt: z.int(),
});
export type Notice = z.infer<typeof noticeSchema>;

export type NoticeContent = Pick<Notice, 'cause' | 'about' | 'subject' | 'text'>;

/** Older news isn't sent. */
const keptDays = 3;

/** A notice of the day of `now`, epoch milliseconds. */
export const newNotice = (
  organizationId: OrganizationId,
  content: NoticeContent,
  now: number,
): Notice => ({
  organizationId,
  ...content,
  day: dayOf(now),
  at: now,
  attempts: 0,
  expiresAt: expiryAfter(now, keptDays),
});

/** Makes an idempotency key, so that one email goes out however often the notice is filed or sent. */
export const sendKeyOf = ({ cause, about, day }: Notice): string =>
  `service-notice:${day}:${cause}:${about}`;
