import * as z from 'zod/mini';
import { expiryAfter } from '#shared/table/expiry';
import { dayOf } from '#shared/timing/day';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';

export const noticeCauses = [
  'webhook_failing',
  'webhook_disabled',
  'bounce_rate',
  'complaint_rate',
  'identity_active',
  'identity_lost',
  'tenant_paused',
  'key_spiking',
  'day_quota',
  // Data goes elsewhere, or somebody else may act: `sensitive-change.ts`.
  'sensitive_change',
  // Asks `noticeEmail` whether it wants the others: `confirmation.ts`.
  'confirmation',
  // To somebody who is invited: `people-notice.ts`.
  'invitation',
] as const;
export type NoticeCause = (typeof noticeCauses)[number];

/** Notices to an organization's `noticeEmail` in a day, of all causes. Its targets get as many. */
const maxPerDay = 20;
/** The causes that users can multiply leave room for the others. */
const maxMultipliedPerDay = 10;
const multiplied: ReadonlySet<NoticeCause> = new Set([
  'webhook_failing',
  'webhook_disabled',
  'sensitive_change',
]);

export const maxPerDayOf = (cause: NoticeCause): number =>
  multiplied.has(cause) ? maxMultipliedPerDay : maxPerDay;

const opposites: ReadonlyMap<NoticeCause, NoticeCause> = new Map([
  ['identity_lost', 'identity_active'],
  ['identity_active', 'identity_lost'],
]);

/** The newer of the two holds, and both may come several times in a day. */
export const oppositeOf = (cause: NoticeCause): NoticeCause | undefined => opposites.get(cause);

/** To somebody who signs in, not to `noticeEmail`. */
export const isToPerson = (cause: NoticeCause): boolean => cause === 'invitation';

/** Not what only its mailbox should see: a link, or a change of `noticeEmail`. */
export const goesToTargets = ({ cause, to, target }: Notice): boolean =>
  cause !== 'confirmation' && to === undefined && target === undefined;

const fromDeployment: ReadonlySet<NoticeCause> = new Set(['identity_lost', 'tenant_paused']);

export const mayComeFromDeployment = (cause: NoticeCause): boolean =>
  fromDeployment.has(cause) || isToPerson(cause);

/**
 * One for each cause, what it is about, and day. `functions/send-notices/send-notices.ts` says when it's tried again.
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
  /** The endpoint, domain, key, month or share of a day. No address. */
  about: z.string(),
  day: z.string(),
  subject: z.string(),
  /**
   * A person's address, or the one that was confirmed when the notice about its replacement was filed. Gone once it's
   * settled.
   */
  to: z.optional(z.string()),
  /** The key of the target that this copy is for: `notice-targets/`. */
  target: z.optional(z.string()),
  /** Plain text, so nothing in it is tracked. */
  text: z.string(),
  at: z.int(),
  /** Attempts that sent nothing; of a copy for a target, those that began. */
  attempts: z.int(),
  /** The day on which it was counted among the organization's emails. */
  countedOn: z.optional(z.string()),
  expiresAt: z.int(),
});
export type Notice = z.infer<typeof noticeSchema>;

export type NoticeContent = Pick<Notice, 'cause' | 'about' | 'subject' | 'text'>;

/** Older news isn't sent. */
export const keptDays = 3;

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

/** One email goes out, however often the notice is filed or sent. */
export const sendKeyOf = ({ cause, about, day }: Notice): string =>
  `service-notice:${day}:${cause}:${about}`;
