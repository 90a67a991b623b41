import type { SesDomain } from '#shared/domains/ses-domain';
import type { Verdict, WantedIdentity } from './identity.ts';

/**
 * DKIM alone decides. SES's `VerifiedForSendingStatus` may be false while all is well (twentyhq/twenty#23818), and
 * without the MAIL FROM domain SES uses its own.
 */
export function verdictOf(
  found: SesDomain | undefined,
  { status }: Pick<WantedIdentity, 'status'>,
): Verdict {
  if (found === undefined) return { status: 'pending' };
  const reason = found.errorType && reasonFor(found.errorType);
  switch (found.dkim.status) {
    case 'SUCCESS':
      return { status: 'active' };
    case 'FAILED':
      return { status: 'failed', reason: reason ?? reasonFor('DKIM FAILED') };
    // SES keeps sending for days before it gives the domain up. A word we don't know takes nothing away either.
    case 'TEMPORARY_FAILURE':
    case 'UNKNOWN':
      return status === 'active' ? { status } : { status: 'pending', reason };
    case 'PENDING':
    case 'NOT_STARTED':
      return { status: 'pending', reason };
  }
}

const reasonFor = (errorType: string): string => {
  const meaning = meanings.get(errorType);
  return meaning === undefined ? errorType : `${errorType}: ${meaning}`;
};

/** SES API reference, "VerificationInfo", in plain words. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['SERVICE_ERROR', 'SES had an error of its own, and keeps trying.'],
  ['DNS_SERVER_ERROR', "the domain's DNS servers didn't answer SES, or answered with an error."],
  ['HOST_NOT_FOUND', 'the domain or the record is not in DNS.'],
  ['TYPE_NOT_FOUND', 'DNS has the name, but no record of the right type.'],
  ['INVALID_VALUE', 'DNS has the record with a different value.'],
  ['DKIM FAILED', 'SES did not find the DKIM records within 72 hours.'],
]);
