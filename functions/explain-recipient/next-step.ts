import * as z from 'zod/mini';
import type { SuppressionReason } from '#shared/contacts/contact';
import type { Event } from '#shared/events/event';
import type { Outcome } from '#shared/send-history/outcome';
import type { SendStatus } from '#shared/sending/send';
import { providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { RecipientState } from './explain-obstacles.ts';

export const nextStepSchema = z.object({
  text: z.string(),
  /** `email`: the latest one. */
  about: z.enum(['organization', 'domains', 'address', 'email']),
});
type NextStep = z.infer<typeof nextStepSchema>;

type LatestEmail = {
  readonly status: SendStatus;
  readonly outcomeKind: Outcome;
  readonly events: readonly Pick<Event, 'type' | 'reason'>[];
};

type Explained = Pick<RecipientState, 'organization'> & {
  readonly isKnown: boolean;
  readonly suppressions: readonly { readonly reason: SuppressionReason }[];
  readonly latestEmail: LatestEmail | undefined;
};

/** First what blocks all email, then what blocks this address, then what happened to the latest email. */
export const nextStepOf = (explained: Explained): NextStep =>
  stepForAll(explained) ?? stepForAddress(explained) ?? stepForLatest(explained);

function stepForAll({ organization }: Explained): NextStep | undefined {
  if (organization.paused || organization.pausedBySes) {
    return {
      about: 'organization',
      text: 'Ask the operator of the service why your organization is paused.',
    };
  }
  if (organization.identity === 'active') return undefined;
  return {
    about: 'domains',
    text:
      organization.activeDomains.length === 0
        ? 'Finish setting up the domain you send from.'
        : 'Finish setting up the default domain, or send from another of your domains.',
  };
}

function stepForAddress({ suppressions }: Explained): NextStep | undefined {
  const has = (reason: SuppressionReason) => suppressions.some((one) => one.reason === reason);
  const step = (text: string) => ({ about: 'address', text }) as const;
  // The most serious first: lifting the bounce doesn't help someone who complained.
  if (has('complaint')) {
    return step(
      'Leave it suppressed, unless the person asks for email again. Then lift the suppression.',
    );
  }
  if (has('manual')) return step('Ask your team why it was blocked, then lift the suppression.');
  if (has('bounce')) {
    return step(
      'Ask the person to check the address for typos. If it’s right, lift the suppression.',
    );
  }
  if (has('unsubscribe')) {
    return step('Nothing to do. The person gets transactional email only, as they asked.');
  }
  return undefined;
}

function stepForLatest({ latestEmail, isKnown }: Explained): NextStep {
  if (latestEmail === undefined) {
    return {
      about: 'address',
      text: isKnown
        ? 'Check whether your application sent an email. None arrived here.'
        : 'Check the address for typos, and whether your application sends to it.',
    };
  }
  return { about: 'email', text: wordsAfter(latestEmail) };
}

function wordsAfter(email: LatestEmail): string {
  switch (email.status) {
    case 'failed':
      return 'Fix what made the latest email fail, then send it again from your application.';
    case 'suppressed':
      return 'Send the latest email again from your application. The address was still suppressed when it was sent.';
    case 'scheduled':
      return 'Wait until the latest email is due, or reschedule it.';
    case 'canceled':
      return 'Send the latest email again from your application. Someone canceled it.';
    case 'queued':
    case 'sending':
      return 'Wait a moment, then look again. The latest email is on its way.';
    case 'sent':
      return wordsAfterSent(email);
  }
}

const wordsAfterDrop = {
  provider_suppressed:
    'Ask the operator of the service to take it off SES’s list, then send the email again.',
  address_guess:
    'Check the address for typos. If it’s right, ask the operator of the service to turn Auto Validation off.',
} as const;

function wordsAfterSent({ events, outcomeKind }: LatestEmail): string {
  const bounce = events.findLast(({ type }) => type === 'bounced');
  const decision = providerReasonOf(bounce?.reason ?? '');
  if (decision !== undefined) return wordsAfterDrop[decision];
  if (bounce) return 'Send the latest email again. It bounced, and nothing blocks it now.';
  if (outcomeKind === 'opened' || outcomeKind === 'clicked') {
    return `Nothing to do. The latest email was ${outcomeKind}.`;
  }
  return events.some(({ type }) => type === 'delivered')
    ? 'Ask the person to check their spam folder. The server accepted it.'
    : 'Wait, then look again. The recipient’s server hasn’t answered yet.';
}
