import { providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { Answer } from '../../../api.ts';
import { emailPage } from '../shared/addresses.ts';
import { isDrop } from '../suppressions/bounces.ts';

export type Explained = Answer<'GET /api/v1/recipients/{email}'>;

/** The one thing to do next so that a person gets email, and where to do it. */
export type NextStep = { readonly text: string; readonly href?: string };

/** First what blocks all email, then what blocks this address, then what happened to the latest email. */
export function nextStepOf(explained: Explained): NextStep {
  return stepForAll(explained) ?? stepForAddress(explained) ?? stepForLatest(explained);
}

/** How SES dropped the latest email, if nothing here blocks the address. */
export function dropOf(explained: Explained) {
  if (stepForAll(explained) ?? stepForAddress(explained)) return undefined;
  const bounce = explained.emails[0]?.events.findLast(({ type }) => type === 'bounced');
  return bounce && isDrop(bounce) ? bounce : undefined;
}

function stepForAll({ organization }: Explained): NextStep | undefined {
  if (organization.paused || organization.pausedBySes) {
    return { text: 'Ask the operator of the service why your organization is paused.' };
  }
  if (organization.identity !== 'active') {
    return {
      text:
        organization.activeDomains.length === 0
          ? 'Finish setting up the domain you send from.'
          : 'Finish setting up the default domain, or send from another of your domains.',
      href: '/console/domains',
    };
  }
  return undefined;
}

function stepForAddress({ suppressions, providerList }: Explained): NextStep | undefined {
  const has = (reason: Explained['suppressions'][number]['reason']) =>
    suppressions.some((one) => one.reason === reason);
  // The most serious first: lifting the bounce doesn't help someone who complained.
  if (has('complaint')) {
    return {
      text: 'Leave it suppressed, unless the person asks for email again. Then lift the suppression below.',
    };
  }
  if (has('manual'))
    return { text: 'Ask your team why it was blocked, then lift the suppression below.' };
  if (has('bounce')) {
    return {
      text: 'Ask the person to check the address for typos. If it’s right, lift the suppression below.',
    };
  }
  if (providerList.state === 'listed') {
    return {
      text: 'Ask the operator of the service to take it off the suppression list of Amazon SES.',
    };
  }
  if (has('unsubscribe')) {
    return { text: 'Nothing to do. The person gets transactional email only, as they asked.' };
  }
  return undefined;
}

function stepForLatest({ emails: [latest], contact }: Explained): NextStep {
  if (latest === undefined) {
    return {
      text:
        contact === null
          ? 'Check the address for typos, and whether your application sends to it.'
          : 'Check whether your application sent an email. None arrived here.',
    };
  }
  const href = emailPage(latest.sendId);
  switch (latest.status) {
    case 'failed':
      return {
        text: 'Fix what made the latest email fail, then send it again from your application.',
        href,
      };
    case 'suppressed':
      return {
        text: 'Send the latest email again from your application. The address was still suppressed when it was sent.',
        href,
      };
    case 'scheduled':
      return { text: 'Wait until the latest email is due, or reschedule it.', href };
    case 'canceled':
      return {
        text: 'Send the latest email again from your application. Someone canceled it.',
        href,
      };
    case 'queued':
    case 'sending':
      return { text: 'Wait a moment, then refresh. The latest email is on its way.', href };
    case 'sent':
      return stepAfterSent(latest, href);
  }
}

const afterDrop = {
  provider_suppressed:
    'Ask the operator of the service to take it off SES’s list, then send the email again.',
  address_guess:
    'Check the address for typos. If it’s right, ask the operator of the service to turn Auto Validation off.',
} as const;

function stepAfterSent(
  { events, outcomeKind }: Explained['emails'][number],
  href: string,
): NextStep {
  const has = (type: (typeof events)[number]['type']) => events.some((one) => one.type === type);
  const bounce = events.findLast(({ type }) => type === 'bounced');
  const decision = providerReasonOf(bounce?.reason ?? '');
  if (decision) return { text: afterDrop[decision], href };
  if (bounce) {
    return {
      text: 'Send the latest email again. It bounced, and nothing blocks it now.',
      href,
    };
  }
  if (outcomeKind === 'opened' || outcomeKind === 'clicked') {
    return { text: `Nothing to do. The latest email was ${outcomeKind}.`, href };
  }
  return has('delivered')
    ? { text: 'Ask the person to check their spam folder. The server accepted it.', href }
    : { text: 'Wait, then refresh. The recipient’s server hasn’t answered yet.', href };
}
