import { domainToUnicode } from 'node:url';
import type { EmailAddress } from '#shared/contacts/email-address';
import { providerMessageIdIn } from '#shared/email/ses-message-id';
import {
  idempotencyKeySchema,
  oneEmailAddress,
  tagFilter,
} from '#shared/sending/request/send-fields';
import { addressesIn } from '#shared/sending/send';
import type { SearchedSend } from '#shared/sending/send-items';
import type { Tag } from '#shared/sending/send-options';
import {
  type FeedbackId,
  feedbackIdSchema,
  type SendId,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { holdsWords, tagTexts } from './search-words.ts';

/** Matches an id, or part of what a send's row shows. */
export type SendSearch = {
  readonly text: string;
  /** The text is an id, so it can't be part of anything else. */
  readonly id?: SendId | FeedbackId | undefined;
  readonly providerMessageId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** A whole address stands for the person, even if a key has the same text. */
export const addressIn = (text: string): EmailAddress | undefined =>
  oneEmailAddress.safeParse(text).data;

export function searchFor(text: string): SendSearch {
  const id = sendIdSchema.safeParse(text).data ?? feedbackIdSchema.safeParse(text).data;
  return {
    text,
    id,
    providerMessageId: providerMessageIdIn(text),
    idempotencyKey: addressIn(text) ? undefined : idempotencyKeySchema.safeParse(text).data,
  };
}

export const tagPrefix = 'tag:';

/** For a text that starts with `tag:`. */
export const tagIn = (text: string): Tag | undefined =>
  text.startsWith(tagPrefix)
    ? tagFilter.safeParse(text.slice(tagPrefix.length).trim()).data
    : undefined;

/**
 * Each word is part of an address, of the subject or of a tag, in any case: `ann reset` finds the reset that went to
 * ann@example.com. A template's id counts only whole, as short words would match in the digits of any UUID.
 */
export function holdsText({ text }: SendSearch): (send: SearchedSend) => boolean {
  const hasWords = holdsWords(text);
  return (send) => send.templateId === text || hasWords(shownIn(send));
}

const shownIn = (send: SearchedSend): string[] => [
  send.subject,
  ...addressesIn(send).flatMap(spellingsOf),
  ...tagTexts(send.tags),
];

/** Domains are stored in ASCII, but people type what they read. */
function spellingsOf(address: string): string[] {
  if (!address.includes('xn--')) return [address];
  const at = address.lastIndexOf('@') + 1;
  return [address, address.slice(0, at) + domainToUnicode(address.slice(at))];
}
