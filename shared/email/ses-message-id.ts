/**
 * An SES message id has, in hex, 2 bytes of the Region and 6 of the time at which SES took the email, in milliseconds,
 * then a UUID. AWS's examples show that (`00000137860315fd-…` is of 2012-05-25T21:59:38.237Z), but AWS doesn't promise
 * it. So nothing may rely on it: a message whose id doesn't lead to its send by time has an index entry.
 *
 * @returns epoch milliseconds; NaN without a time.
 */
const timeIn = (providerMessageId: string): number =>
  Number.parseInt(/^[\da-f]{4}([\da-f]{12})-/.exec(providerMessageId)?.[1] ?? '', 16);

/** SES takes nearly every email this soon after its send is made. */
const longestSendMs = 5_000;
/** SES's clock and ours may differ. */
const clockSkewMs = 1_000;

/**
 * When a message's send was made, judging by the id alone: from `since` to before `until`, in epoch milliseconds.
 * `undefined` if the id contains no time.
 */
export function creationOf(
  providerMessageId: string,
): { readonly since: number; readonly until: number } | undefined {
  const time = timeIn(providerMessageId);
  return Number.isNaN(time)
    ? undefined
    : { since: time - longestSendMs, until: time + clockSkewMs };
}

/** Whether the list of sends by time leads from the id to the send, so that it needs no index entry. */
export function tellsCreation(providerMessageId: string, createdAt: number): boolean {
  const afterMs = timeIn(providerMessageId) - createdAt;
  return afterMs <= longestSendMs && afterMs > -clockSkewMs;
}

/** SES's `Message-ID` header is its message id at an SES host, in angle brackets. */
const messageIdHeader = /^<?([^<>@\s]+)@(?:email|[a-z]{2}(?:-[a-z]+)+-\d)\.amazonses\.com>?$/;

/** SES's have 60 characters. A key of the table has a limit, so not every text can be looked up. */
const providerMessageIdForm = /^[\w.-]{1,255}$/;

/** Takes an id alone or as in the header; `undefined` for text that can't be one. */
export function providerMessageIdIn(text: string): string | undefined {
  const [, message = text] = messageIdHeader.exec(text) ?? [];
  return providerMessageIdForm.test(message) ? message : undefined;
}
