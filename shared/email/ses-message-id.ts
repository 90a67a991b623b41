/**
 * A message id of SES has, in hex, 2 bytes of the Region and 6 of the time at which SES took the email, in milliseconds,
 * then a UUID. AWS doesn't promise that (its examples have it: `00000137860315fd-…` is of 2012-05-25T21:59:38.237Z), so
 * nothing may rely on it: a message whose id doesn't lead to its send by time has an index entry.
 *
 * @returns epoch milliseconds; NaN without a time.
 */
const timeIn = (providerMessageId: string): number =>
  Number.parseInt(/^[\da-f]{4}([\da-f]{12})-/.exec(providerMessageId)?.[1] ?? '', 16);

/** SES took nearly every email that soon after its send was made. */
const longestSendMs = 5_000;
/** SES's clock and ours may differ. */
const clockSkewMs = 1_000;

/**
 * When the send of a message was made, going by the id alone: from `since` to before `until`, in epoch milliseconds.
 * `undefined`: the id has no time.
 */
export function creationOf(
  providerMessageId: string,
): { readonly since: number; readonly until: number } | undefined {
  const time = timeIn(providerMessageId);
  return Number.isNaN(time)
    ? undefined
    : { since: time - longestSendMs, until: time + clockSkewMs };
}

/** The list of sends by time leads from the id to the send, so no index entry needs to. */
export function tellsCreation(providerMessageId: string, createdAt: number): boolean {
  const afterMs = timeIn(providerMessageId) - createdAt;
  return afterMs <= longestSendMs && afterMs > -clockSkewMs;
}

/** The `Message-ID` that SES gives an email is its message id at a host of SES, in angle brackets. */
const messageIdHeader = /^<?([^<>@\s]+)@(?:email|[a-z]{2}(?:-[a-z]+)+-\d)\.amazonses\.com>?$/;

/** SES's have 60 characters. A key of the table has a limit, so not every text can be looked up. */
const providerMessageIdForm = /^[\w.-]{1,255}$/;

/** Bare or as in the header; `undefined` for what can't be one. */
export function providerMessageIdIn(text: string): string | undefined {
  const [, message = text] = messageIdHeader.exec(text) ?? [];
  return providerMessageIdForm.test(message) ? message : undefined;
}
