import * as z from 'zod/mini';

const counter = z._default(z.int(), 0);

/** A month's counts. A missing counter is 0. */
export const usageCountsSchema = z.object({
  /** Emails that SES accepted through either endpoint, and through send-global. */
  sends: counter,
  globalSends: counter,
  /** Sends that are stored although SES took nothing of them: suppressed, failed or canceled. */
  unsent: counter,
  /** SES bills and limits these. */
  recipients: counter,
  /** Attachments of these emails, and their decoded bytes. */
  attachments: counter,
  attachmentBytes: counter,
  /** Timeline events, by type. */
  sent: counter,
  delivered: counter,
  bounced: counter,
  /** A later email may arrive after these. */
  softBounced: counter,
  complained: counter,
  opened: counter,
  clicked: counter,
  /** Each recipient counts, if an email has several. */
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
