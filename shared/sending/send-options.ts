import * as z from 'zod/mini';
import type { EmailHeader } from '#shared/email/email-provider';
import { trackingSwitches } from '#shared/organizations/organization';

// Each option is optional, part of the fingerprint, stored with the send, and in the answers about it. A new one
// doesn't compile until these have it: what is below, `optionFields` (what requests may contain), `send-facts.ts`
// (console and command line) and `option-examples.ts` (the tests of all options). No option decides who gets the email.

export const maxReplyTo = 10;
export const maxTags = 10;
export const maxMetadataBytes = 2_048;
/** API v2 reference, "Message". */
export const headersTakenBySes = 15;
/** Leaves two for List-Unsubscribe. */
export const maxHeaders = headersTakenBySes - 2;

/** Each webhook message about the send includes these. */
export const reportedOptions = {
  /** By name. Used in filters and counts. */
  tags: z.optional(z.record(z.string(), z.string())),
  /** Not part of the email. */
  metadata: z.optional(z.record(z.string(), z.unknown())),
};

/** As stored. An erasure may have replaced an address in any text. */
export const storedSendOptions = {
  /** Where replies go, instead of the organization's `replyTo`. */
  replyTo: z.optional(z.array(z.string())),
  headers: z.optional(z.record(z.string(), z.string())),
  ...reportedOptions,
  /** What is switched off isn't tracked. */
  tracking: z.optional(z.object(trackingSwitches)),
};

export type SendOptions = z.output<z.ZodMiniObject<typeof storedSendOptions>>;
export type ReportedOptions = z.output<z.ZodMiniObject<typeof reportedOptions>>;

export const optionNames = z.keyof(z.object(storedSendOptions)).options;
export const reportedOptionNames = z.keyof(z.object(reportedOptions)).options;

/** The reference's words, of requests and of answers. A function, as bundles leave one out that they don't call. */
export const optionWords = (): Readonly<Record<keyof SendOptions, string>> => ({
  replyTo: `Where replies go: up to ${maxReplyTo} addresses, with names if you like. Default: the organization’s \`replyTo\`.`,
  headers: `Up to ${maxHeaders} custom headers, by name. Those that the service or SES sets are refused; you can set \`List-Unsubscribe\` where policy and organization don’t. SES takes ${headersTakenBySes}; two are reserved for List-Unsubscribe.`,
  tags: `Up to ${maxTags} tags, name and value, such as \`{"kind": "reset"}\`. Lists, webhooks and usage show them. They aren’t sent.`,
  metadata: `A JSON object of up to ${maxMetadataBytes / 1_024} KB. It comes back in the timeline and in webhooks, and is never sent.`,
  tracking: 'Turns tracking off for this email: `{"opens": false, "clicks": false}`.',
});

/** Options whose texts may name people: an erasure takes the address out. */
const personal: Readonly<Record<keyof SendOptions, boolean>> = {
  replyTo: true,
  headers: true,
  // Letters, digits, `_` and `-` can't make an address.
  tags: false,
  metadata: true,
  tracking: false,
};

const none = () => [];

/** What each option adds to the email's headers. SES takes `headersTakenBySes`, List-Unsubscribe's two included. */
const headersOf: Readonly<
  Record<keyof SendOptions, (options: SendOptions) => readonly EmailHeader[]>
> = {
  headers: ({ headers = {} }) => Object.entries(headers).map(([name, value]) => ({ name, value })),
  // `handOver` gives SES `replyTo`; `composeEmail` tracks the HTML.
  replyTo: none,
  tracking: none,
  // Not part of the email.
  tags: none,
  metadata: none,
};

export const headersOfOptions = (options: SendOptions): EmailHeader[] =>
  Object.values(headersOf).flatMap((headersOfOne) => headersOfOne(options));

export const mayNamePeople = (name: keyof SendOptions): boolean => personal[name];

export function optionsOf(request: SendOptions): SendOptions {
  return Object.fromEntries(
    optionNames.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  );
}

export type Tag = readonly [name: string, value: string];

export const hasTag = ({ tags: given }: Pick<SendOptions, 'tags'>, [name, value]: Tag): boolean =>
  given !== undefined && Object.hasOwn(given, name) && given[name] === value;
