import * as z from 'zod/mini';

const counter = z._default(z.int(), 0);

/** Everything counted for an organization in a month. A missing counter is 0. */
export const usageCountsSchema = z.object({
  /** Emails that SES accepted through either endpoint, and those through send-global. */
  sends: counter,
  globalSends: counter,
  /** How many people these emails went to, which is what SES bills and limits. */
  recipients: counter,
  /** Attachments of these emails, and their decoded bytes. */
  attachments: counter,
  attachmentBytes: counter,
  /** Events of the timelines, by type. */
  sent: counter,
  delivered: counter,
  bounced: counter,
  /** Those of the bounces after which a later email may arrive. Not counted before 2026-11-23. */
  softBounced: counter,
  complained: counter,
  opened: counter,
  clicked: counter,
  /** Whose bounces and complaints these were: an email to several people counts each. */
  bouncedRecipients: counter,
  complainedRecipients: counter,
});
export type UsageCounts = Readonly<z.output<typeof usageCountsSchema>>;

export const usageCounters = z.keyof(usageCountsSchema).options;

export const sumUsage = (all: readonly Partial<UsageCounts>[]): UsageCounts =>
  usageCountsSchema.parse(
    Object.fromEntries(
      usageCounters.map((name) => [
        name,
        all.reduce((sum, counts) => sum + (counts[name] ?? 0), 0),
      ]),
    ),
  );
