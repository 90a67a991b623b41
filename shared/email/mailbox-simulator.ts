/** The possible outcomes of an email to one address. */
const fates = ['success', 'bounce', 'complaint', 'suppressionlist', 'ooto'] as const;
export type Fate = (typeof fates)[number];

const simulatorAddress = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i;

/**
 * What becomes of an email to an address of SES's mailbox simulator (SES developer guide, "Using the mailbox
 * simulator"). An address always plays its part, whatever follows a `+`.
 *
 * @returns undefined for any other address.
 */
export function simulatedFateOf(address: string): Fate | undefined {
  const localPart = simulatorAddress.exec(address)?.[1]?.toLowerCase();
  return fates.find((fate) => fate === localPart);
}

/** Resend's test addresses ("Send test emails"), which programs that come from there may write to. */
const resendFates: ReadonlyMap<string, Fate> = new Map([
  ['bounced', 'bounce'],
  ['complained', 'complaint'],
  ['suppressed', 'suppressionlist'],
]);
const resendAddress = /^([a-z]+)(\+[^@]*)?@resend\.dev$/i;

/** What becomes of a test email: it arrives, unless the address plays another part. */
export function testFateOf(address: string): Fate {
  const localPart = resendAddress.exec(address)?.[1]?.toLowerCase() ?? '';
  return simulatedFateOf(address) ?? resendFates.get(localPart) ?? 'success';
}
