import * as z from 'zod/mini';

const counter = z._default(z.int(), 0);

/** All that is counted for an organization in a month. A counter that is missing is 0. */
export const usageCountsSchema = z.object({
  /** Emails that SES accepted through either endpoint, and how many of them through send-global. */
  sends: counter,
  globalSends: counter,
  /** To how many people these emails went, which is what SES bills and limits; without those left out. */
  recipients: counter,
  /** Attachments of these emails, and how many bytes they have, decoded. */
  attachments: counter,
  attachmentBytes: counter,
  /** Events of the timelines, by type. */
  sent: counter,
  delivered: counter,
  bounced: counter,
  complained: counter,
  opened: counter,
  clicked: counter,
  /** Whose bounces and complaints these were: an email to several counts each. */
  bouncedRecipients: counter,
  complainedRecipients: counter,
});
export type UsageCounts = Readonly<z.output<typeof usageCountsSchema>>;

export const usageCounters = z.keyof(usageCountsSchema).options;

/** Adds up, counter by counter. */
export const sumUsage = (all: readonly Partial<UsageCounts>[]): UsageCounts =>
  usageCountsSchema.parse(
    Object.fromEntries(
      usageCounters.map((name) => [
        name,
        all.reduce((sum, counts) => sum + (counts[name] ?? 0), 0),
      ]),
    ),
  );
