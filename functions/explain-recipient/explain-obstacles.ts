import type { SuppressionReason } from '#shared/contacts/contact';
import type { Event } from '#shared/events/event';
import type { IdentityStatus } from '#shared/identity/identity';
import { explainDiagnostic } from '#shared/sends/explain-diagnostic';
import { providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { Suppression } from '#shared/suppressions/suppression-list-store';

type RecipientState = {
  readonly organization: {
    readonly paused: boolean;
    readonly pausedBySes: boolean;
    readonly identity: IdentityStatus | 'none';
  };
  readonly suppressions: readonly Suppression[];
  readonly providerList: { readonly state: 'listed' | 'not_listed' | 'not_shown' | 'unknown' };
  /** The bounce of the latest email to the address, if it bounced. */
  readonly latest: Pick<Event, 'ts' | 'reason'> | undefined;
};

/** Says in words what keeps email from the address now. */
export function explainObstacles({
  organization,
  suppressions,
  providerList,
  latest,
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
    ...(providerList.state === 'listed'
      ? ['Amazon SES has the address on its own list and drops email to it. Lifting takes it off.']
      : explainDrop(latest)),
  ];
}

/** What SES decided about the latest email, it may decide about the next one. It isn't asked: the list is everybody's. */
function explainDrop(latest: RecipientState['latest']): string[] {
  const decision = providerReasonOf(latest?.reason ?? '');
  if (latest === undefined || decision === undefined) return [];
  const on = new Date(latest.ts).toISOString();
  return [
    decision === 'address_guess'
      ? `Amazon SES dropped the latest email, on ${on}: its Auto Validation takes the address for a bad one. Nothing is blocked here, and the next email is tried. The operator can turn Auto Validation off.`
      : `Amazon SES dropped the latest email, on ${on}: the address is on a list of its own. Nothing is blocked here, and the next email is tried. The operator can take the address off, in the SES console.`,
  ];
}

const causes: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'An email to the address bounced for good',
  complaint: 'The recipient marked an email as spam',
  manual: 'The organization blocked the address itself',
  unsubscribe: 'The recipient unsubscribed: only transactional email goes out',
};

const possibleComplaint =
  'The recipient may have marked an email as spam, as one of several: only transactional email goes out';

function explainSuppression({ reason, at, diagnostic, possible }: Suppression): string {
  const why = reason === 'bounce' && diagnostic ? explainDiagnostic(diagnostic) : undefined;
  return `${possible ? possibleComplaint : causes[reason]}, on ${new Date(at).toISOString()}${why ? `: ${why}` : ''}.`;
}
