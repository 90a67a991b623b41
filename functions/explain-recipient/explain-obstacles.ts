import type { SuppressionReason } from '#shared/contacts/contact';
import type { Event } from '#shared/events/event';
import type { IdentityStatus } from '#shared/identity/identity';
import { explainDiagnostic } from '#shared/send-history/explain-diagnostic';
import { providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { Suppression } from '#shared/suppressions/suppression-list-store';

export type RecipientState = {
  readonly organization: {
    readonly paused: boolean;
    readonly pausedBySes: boolean;
    readonly identity: IdentityStatus | 'none';
    readonly activeDomains: readonly string[];
  };
  readonly suppressions: readonly Suppression[];
  readonly providerList: { readonly state: 'listed' | 'not_listed' | 'not_shown' | 'unknown' };
  readonly latest: Pick<Event, 'ts' | 'reason'> | undefined;
};

export function explainObstacles({
  organization,
  suppressions,
  providerList,
  latest,
}: RecipientState): string[] {
  return [
    ...(organization.paused ? ['The organization is paused, so it sends nothing.'] : []),
    ...(organization.pausedBySes
      ? ['Amazon SES has paused the organization, so it sends nothing.']
      : []),
    ...explainDomains(organization),
    ...suppressions.map(explainSuppression),
    ...(providerList.state === 'listed'
      ? [
          'The address is on Amazon SES’s own suppression list, so SES drops email to it. Lifting the suppression takes it off.',
        ]
      : explainDrop(latest)),
  ];
}

function explainDomains({ identity, activeDomains }: RecipientState['organization']): string[] {
  if (identity === 'active') return [];
  return activeDomains.length === 0
    ? ['The organization has no active domain, so it cannot send.']
    : [
        `The organization has no active default domain, so emails without a From address are refused. Those from ${activeDomains.join(', ')} go out.`,
      ];
}

/** SES may drop the next email for the same reason as the latest one. Its list is shared, so it isn't asked. */
function explainDrop(latest: RecipientState['latest']): string[] {
  const decision = providerReasonOf(latest?.reason ?? '');
  if (latest === undefined || decision === undefined) return [];
  const on = new Date(latest.ts).toISOString();
  return [
    decision === 'address_guess'
      ? `Amazon SES dropped the latest email (${on}): its Auto Validation considers the address invalid. The address is not suppressed here, and the next email is tried. The operator can turn Auto Validation off.`
      : `Amazon SES dropped the latest email (${on}): the address is on its own suppression list. The address is not suppressed here, and the next email is tried. The operator can take the address off that list in the SES console.`,
  ];
}

const causes: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'An email to the address bounced permanently',
  complaint: 'The recipient marked an email as spam',
  manual: 'The organization suppressed the address itself',
  unsubscribe: 'The recipient unsubscribed, so only transactional email goes out',
};

const possibleComplaint =
  'One of several recipients marked an email as spam, possibly this one, so only transactional email goes out';

function explainSuppression({ reason, at, diagnostic, possible }: Suppression): string {
  const why = reason === 'bounce' && diagnostic ? explainDiagnostic(diagnostic) : undefined;
  return `${possible ? possibleComplaint : causes[reason]} (${new Date(at).toISOString()})${why ? `: ${why}` : ''}.`;
}
