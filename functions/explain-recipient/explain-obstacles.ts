import type { SuppressionReason } from '#shared/contacts/suppression';
import type { Suppression } from '#shared/contacts/suppression-list-store';
import type { IdentityStatus } from '#shared/identity/identity';
import { explainDiagnostic } from '#shared/sending/explain-diagnostic';

type RecipientState = {
  readonly organization: {
    readonly paused: boolean;
    readonly pausedBySes: boolean;
    readonly identity: IdentityStatus | 'none';
  };
  readonly suppressions: readonly Suppression[];
  readonly providerList: { readonly state: 'listed' | 'not_listed' | 'unknown' };
};

/** Says in words what keeps email from the address now. */
export function explainObstacles({
  organization,
  suppressions,
  providerList,
}: RecipientState): string[] {
  return [
    ...(organization.paused ? ['The organization is paused: it sends nothing.'] : []),
    ...(organization.pausedBySes
      ? ['Amazon SES has paused the organization: it sends nothing.']
      : []),
    ...(organization.identity === 'active'
      ? []
      : ['The organization has no active From identity: it cannot send.']),
    ...suppressions.map(explainSuppression),
    ...(providerList.state === 'listed' ? [explainProviderList(suppressions)] : []),
  ];
}

/** Of all organizations the list is one. So only a bounce or complaint of its own lets one take an address off. */
const explainProviderList = (suppressions: readonly Suppression[]): string =>
  `Amazon SES has the address on its own list and drops email to it. ${
    suppressions.some(({ reason }) => reason === 'bounce' || reason === 'complaint')
      ? 'Lifting takes it off.'
      : 'No email of this organization caused that: the operator can take it off, in the SES console.'
  }`;

const causes: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'An email to the address bounced for good',
  complaint: 'The recipient marked an email as spam',
  manual: 'The organization blocked the address itself',
  unsubscribe: 'The recipient unsubscribed: only transactional email goes out',
};

function explainSuppression({ reason, at, diagnostic }: Suppression): string {
  const why = reason === 'bounce' && diagnostic ? explainDiagnostic(diagnostic) : undefined;
  return `${causes[reason]}, on ${new Date(at).toISOString()}${why ? `: ${why}` : ''}.`;
}
