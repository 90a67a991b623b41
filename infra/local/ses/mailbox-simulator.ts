/** What may become of an email to one address. */
const fates = ['success', 'bounce', 'complaint', 'suppressionlist', 'ooto'] as const;
export type Fate = (typeof fates)[number];

const simulatorAddress = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i;

/**
 * What becomes of an email to an address of SES's mailbox simulator (SES developer guide, "Using the mailbox
 * simulator"). An address plays its part every time, whatever stands behind a `+`.
 *
 * @returns undefined for any other address.
 */
export function simulatedFateOf(address: string): Fate | undefined {
  const localPart = simulatorAddress.exec(address)?.[1]?.toLowerCase();
  return fates.find((fate) => fate === localPart);
}
