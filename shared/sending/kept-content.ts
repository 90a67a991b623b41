import * as z from 'zod/mini';
import { type KeptDays, keptDays, keptKindOf } from '#shared/stored-content/content-lifetimes';
import type { ContentPlace, ContentStore } from '#shared/stored-content/content-store';
import { dayMs } from '#shared/timing/day';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Send } from './send.ts';

// An organization may keep what it sent (`keepContentDays`). Each claim makes a key and stores it with the send; after
// SES accepts the email, the content is sealed with the key and put into the bucket, beside the commit. Erasing a
// content means taking the key off the send, in the write that takes the address off: even what a process stores later
// can't be read.

/**
 * Leaves out the service's links, which act for the recipient, and what the send has: sender, recipients and options.
 */
export const keptContentSchema = z.object({
  subject: z.string(),
  content: z.optional(z.string()),
  htmlContent: z.optional(z.string()),
  footerOf: z.optional(z.object({ name: z.string(), footerText: z.optional(z.string()) })),
  attachments: z.array(
    z.object({
      filename: z.string(),
      contentType: z.optional(z.string()),
      contentId: z.optional(z.string()),
      size: z.int(),
    }),
  ),
  /** The attachments' bytes are stored. */
  hasFiles: z.optional(z.literal(true)),
});
export type KeptContent = z.infer<typeof keptContentSchema>;

export type KeptCopy = {
  readonly place: ContentPlace;
  readonly content: KeptContent;
  readonly files: readonly Uint8Array[];
  readonly sealKey: string;
};

/** Files go first, because the text says whether they are stored. */
export async function keepCopy(
  { put }: Pick<ContentStore, 'put'>,
  { place, content, files, sealKey }: KeptCopy,
): Promise<void> {
  if (files.length === 0) return put(place, content, sealKey);
  const encoded = files.map((bytes) => Buffer.from(bytes).toString('base64'));
  const [stored] = await Promise.allSettled([put(filesPlaceOf(place), encoded, sealKey)]);
  const hasFiles = stored.status === 'fulfilled' && ({ hasFiles: true } as const);
  await put(place, { ...content, ...hasFiles }, sealKey);
  if (stored.status === 'rejected') throw stored.reason;
}

/** Where the latest attempt's content is, or was. */
export function contentPlaceOf({
  id,
  feedbackId,
  attempt,
  contentDays,
}: Pick<Send, 'id' | 'feedbackId' | 'attempt' | 'contentDays'>): ContentPlace | undefined {
  if (contentDays === undefined) return undefined;
  return {
    kind: keptKindOf(daysInBucket(contentDays)),
    organizationId: organizationIdOf(id),
    name: `${feedbackId}-${attempt}`,
  };
}

export const filesPlaceOf = (content: ContentPlace): ContentPlace => ({
  ...content,
  name: `${content.name}-files`,
});

export const keptFilesSchema = z.array(z.string());

const daysInBucket = (least: number): KeptDays =>
  keptDays.find((days) => days >= least) ?? keptDays[keptDays.length - 1] ?? 1;

/** Epoch milliseconds; `undefined` if the content isn't kept. */
export function contentUntil({
  contentDays,
  contentKey,
  sentAt,
  expiresAt,
}: Pick<Send, 'contentDays' | 'contentKey' | 'sentAt' | 'expiresAt'>): number | undefined {
  if (contentDays === undefined || contentKey === undefined || sentAt === undefined) {
    return undefined;
  }
  return Math.min(sentAt + contentDays * dayMs, expiresAt * 1000);
}
