import * as z from 'zod/mini';
import { trackingSwitches } from '#shared/organizations/organization';

// Each option is optional, part of the fingerprint, stored with the send, and in the answers about it: adding one here
// and to `optionFields` does that. Erasures (`erased-recipients.ts`) and the console (`outcomes.ts`) don't compile until
// they know it. None of them decides who gets the email.

export const maxReplyTo = 10;
export const maxTags = 10;
export const maxMetadataBytes = 2_048;
/** API v2 reference, "Message". */
export const headersTakenBySes = 15;
/** Two are kept for List-Unsubscribe. */
export const maxHeaders = headersTakenBySes - 2;

/** As a send has them. An erasure may have replaced an address in any text. */
export const storedSendOptions = {
  /** Where answers go, instead of the organization's `replyTo`. */
  replyTo: z.optional(z.array(z.string())),
  headers: z.optional(z.record(z.string(), z.string())),
  /** By name. For filters and counts. */
  tags: z.optional(z.record(z.string(), z.string())),
  /** Comes back in the timeline and in webhooks, and is never sent. */
  metadata: z.optional(z.record(z.string(), z.unknown())),
  /** What's off isn't tracked. */
  tracking: z.optional(z.object(trackingSwitches)),
};

export type SendOptions = z.output<z.ZodMiniObject<typeof storedSendOptions>>;

export const optionNames = z.keyof(z.object(storedSendOptions)).options;

export function optionsOf(request: SendOptions): SendOptions {
  return Object.fromEntries(
    optionNames.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  );
}

export type Tag = readonly [name: string, value: string];

export const hasTag = ({ tags: given }: Pick<SendOptions, 'tags'>, [name, value]: Tag): boolean =>
  given !== undefined && Object.hasOwn(given, name) && given[name] === value;
