const fates = ['success', 'bounce', 'complaint', 'suppressionlist', 'ooto'] as const;
export type Fate = (typeof fates)[number];

const simulatorAddress = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i;

export function simulatedFateOf(address: string): Fate | undefined {
  const localPart = simulatorAddress.exec(address)?.[1]?.toLowerCase();
  return fates.find((fate) => fate === localPart);
}

/** Resend's ("Send test emails"): programs that move here may use them. */
const resendFates: ReadonlyMap<string, Fate> = new Map([
  ['bounced', 'bounce'],
  ['complained', 'complaint'],
  ['suppressed', 'suppressionlist'],
]);
const resendAddress = /^([a-z]+)(\+[^@]*)?@resend\.dev$/i;

/** A test email arrives, unless its address plays another part. */
export function testFateOf(address: string): Fate {
  const localPart = resendAddress.exec(address)?.[1]?.toLowerCase() ?? '';
  return simulatedFateOf(address) ?? resendFates.get(localPart) ?? 'success';
}
