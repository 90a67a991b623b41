import type { Event } from '#shared/events/event';
import type { IdentityStatus } from '#shared/identity/identity';
import { verdictOf, verdictOfSuppression } from '#shared/send-history/verdict';
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
  if (latest === undefined || providerReasonOf(latest.reason ?? '') === undefined) return [];
  const { why, next } = verdictOf({ outcome: 'bounced', reason: latest.reason });
  return [`Amazon SES dropped the latest email (${dayOf(latest.ts)}): ${why}. ${next}`];
}

const explainSuppression = (suppression: Suppression): string =>
  `${verdictOfSuppression(suppression).sentence} (since ${dayOf(suppression.at)}).`;

const dayOf = (at: number): string => new Date(at).toISOString();
