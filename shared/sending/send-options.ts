import * as z from 'zod/mini';
import { trackingSwitches } from '#shared/organizations/organization';

// Each option is optional, part of the fingerprint, stored with the send, and in the answers about it. What requests may
// say is in `optionFields`, what the reference says in `optionWords`, what the console says in `outcomes.ts`. A new one
// doesn't compile until it is there, too. None of them decides who gets the email.

export const maxReplyTo = 10;
export const maxTags = 10;
export const maxMetadataBytes = 2_048;
/** API v2 reference, "Message". */
export const headersTakenBySes = 15;
/** Two are kept for List-Unsubscribe. */
export const maxHeaders = headersTakenBySes - 2;

/** These come back in each webhook message about the send. */
export const reportedOptions = {
  /** By name. For filters and counts. */
  tags: z.optional(z.record(z.string(), z.string())),
  /** Never sent. */
  metadata: z.optional(z.record(z.string(), z.unknown())),
};

/** As a send has them. An erasure may have replaced an address in any text. */
export const storedSendOptions = {
  /** Where answers go, instead of the organization's `replyTo`. */
  replyTo: z.optional(z.array(z.string())),
  headers: z.optional(z.record(z.string(), z.string())),
  ...reportedOptions,
  /** What's off isn't tracked. */
  tracking: z.optional(z.object(trackingSwitches)),
};

export type SendOptions = z.output<z.ZodMiniObject<typeof storedSendOptions>>;
export type ReportedOptions = z.output<z.ZodMiniObject<typeof reportedOptions>>;

export const optionNames = z.keyof(z.object(storedSendOptions)).options;
export const reportedOptionNames = z.keyof(z.object(reportedOptions)).options;

/** Whose texts may name somebody: an erasure takes the address out. */
const personal: Readonly<Record<keyof SendOptions, boolean>> = {
  replyTo: true,
  headers: true,
  // Letters, digits, `_` and `-`: no address.
  tags: false,
  metadata: true,
  tracking: false,
};

export const isPersonal = (name: keyof SendOptions): boolean => personal[name];

export function optionsOf(request: SendOptions): SendOptions {
  return Object.fromEntries(
    optionNames.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  );
}

export type Tag = readonly [name: string, value: string];

export const hasTag = ({ tags: given }: Pick<SendOptions, 'tags'>, [name, value]: Tag): boolean =>
  given !== undefined && Object.hasOwn(given, name) && given[name] === value;
