import * as z from 'zod/mini';
import type { SuppressionReason } from '#shared/contacts/contact';
import {
  type Verdict,
  verdictCodes,
  verdictOfSuppression,
  verdictSchema,
} from '#shared/send-history/verdict';
import type { RecipientState } from './explain-obstacles.ts';

export const nextStepSchema = z.object({
  text: z.string(),
  /** `email`: the latest one. */
  about: z.enum(['organization', 'domains', 'address', 'email']),
});
type About = z.infer<typeof nextStepSchema>['about'];

export const addressVerdictSchema = z.extend(verdictSchema, {
  code: z.enum([
    ...verdictCodes,
    'organization_paused',
    'organization_paused_by_ses',
    'no_active_domain',
    'no_default_domain',
    'nothing_sent',
    'unknown_address',
  ]),
});
type AddressVerdict = z.infer<typeof addressVerdictSchema>;

type Explained = Pick<RecipientState, 'organization' | 'suppressions'> & {
  readonly isKnown: boolean;
  /** Of the latest email. */
  readonly latest: Verdict | undefined;
};

type Answer = { readonly about: About; readonly verdict: AddressVerdict };

/** First what blocks all email, then what blocks this address, then what happened to the latest email. */
export const explainAddress = (explained: Explained): Answer =>
  ofOrganization(explained) ?? ofSuppressions(explained) ?? ofLatest(explained);

function ofOrganization({ organization }: Explained): Answer | undefined {
  const next = 'Ask the operator of the service why your organization is paused.';
  const about = 'organization';
  if (organization.paused) {
    const sentence = 'No email goes out: the organization is paused';
    return { about, verdict: { code: 'organization_paused', sentence, next } };
  }
  if (organization.pausedBySes) {
    const sentence = 'No email goes out: Amazon SES has paused the organization';
    return { about, verdict: { code: 'organization_paused_by_ses', sentence, next } };
  }
  return organization.identity === 'active' ? undefined : ofDomains(organization);
}

const ofDomains = ({ activeDomains }: Explained['organization']): Answer => ({
  about: 'domains',
  verdict:
    activeDomains.length === 0
      ? {
          code: 'no_active_domain',
          sentence: 'No email goes out: the organization has no active domain',
          next: 'Finish setting up the domain you send from.',
        }
      : {
          code: 'no_default_domain',
          sentence: 'Emails without a From address don’t go out: no default domain is active',
          next: 'Finish setting up the default domain, or send from another of your domains.',
        },
});

/** The most serious first: lifting the bounce doesn't help someone who complained. */
const bySeverity = [
  'complaint',
  'manual',
  'bounce',
  'unsubscribe',
] as const satisfies readonly SuppressionReason[];

function ofSuppressions({ suppressions }: Explained): Answer | undefined {
  const gravest = bySeverity
    .flatMap((reason) => suppressions.find((one) => one.reason === reason) ?? [])
    .at(0);
  return gravest && { about: 'address', verdict: verdictOfSuppression(gravest) };
}

const arrived = {
  delivered: 'Email reaches this address: the server accepted the latest one',
  opened: 'Email reaches this address: the latest one was opened',
  clicked: 'Email reaches this address: a link in the latest one was clicked',
} as const;

function ofLatest({ latest, isKnown }: Explained): Answer {
  if (latest === undefined) {
    return { about: 'address', verdict: isKnown ? nothingSent : unknownAddress };
  }
  const { code } = latest;
  switch (code) {
    case 'delivered':
    case 'opened':
    case 'clicked':
      return { about: 'email', verdict: { ...latest, sentence: arrived[code] } };
    default:
      return { about: 'email', verdict: { ...latest, next: nextNow(latest) } };
  }
}

/** Nothing suppresses the address any longer, whatever its latest email met. */
const nextNow = ({ suppresses, next }: Verdict): string | undefined =>
  suppresses === true ? 'Nothing suppresses the address now, so the next email goes out.' : next;

const nothingSent = {
  code: 'nothing_sent',
  sentence: 'No email to this address is on record',
  next: 'Check whether your application sent an email. None arrived here.',
} as const;

const unknownAddress = {
  code: 'unknown_address',
  sentence: 'No email was ever sent to this address',
  next: 'Check the address for typos, and whether your application sends to it.',
} as const;
