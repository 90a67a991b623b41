import type { Api } from '../api-types.ts';

export type Explained = Api['GET /api/v1/recipients/{email}']['answer'];

/** The one thing to do next, so that a person gets email, and where that is done. */
export type NextStep = { readonly text: string; readonly href?: string };

/** What stops everybody's email comes first, then what stops this address, then what became of the latest email. */
export function nextStepOf(explained: Explained): NextStep {
  return stepForAll(explained) ?? stepForAddress(explained) ?? stepForLatest(explained);
}

function stepForAll({ organization }: Explained): NextStep | undefined {
  if (organization.paused || organization.pausedBySes) {
    return { text: 'Ask the operator of the service why your organization is paused.' };
  }
  if (organization.identity !== 'active') {
    return { text: 'Finish the domain that you send from.', href: '/console/settings/identity' };
  }
  return undefined;
}

function stepForAddress({ suppressions, providerList }: Explained): NextStep | undefined {
  const has = (reason: Explained['suppressions'][number]['reason']) =>
    suppressions.some((one) => one.reason === reason);
  // From what weighs most: lifting a bounce helps nobody who complained.
  if (has('complaint')) {
    return {
      text: 'Leave it as it is, unless the person asks for your email: then lift it below.',
    };
  }
  if (has('manual')) return { text: 'Ask your team why it was blocked, then lift it below.' };
  if (has('bounce')) {
    return { text: 'Check the address for a typo with the person. If it is right, lift it below.' };
  }
  if (providerList.state === 'listed') {
    return { text: 'Ask the operator to take it off the list of Amazon SES.' };
  }
  if (has('unsubscribe')) {
    return { text: 'Nothing: the person wants transactional email only, and gets that.' };
  }
  return undefined;
}

function stepForLatest({ emails: [latest], contact }: Explained): NextStep {
  if (latest === undefined) {
    return {
      text:
        contact === null
          ? 'Check the address for a typo, and whether your application sends to it.'
          : 'Check whether your application sent an email: none is known here.',
    };
  }
  const href = `/console/emails/${encodeURIComponent(latest.sendId)}`;
  switch (latest.status) {
    case 'failed':
      return { text: 'Mend what made the latest email fail, then send it again.', href };
    case 'suppressed':
      return { text: 'Send the latest email again: it was left out before this was lifted.', href };
    case 'sending':
      return { text: 'Wait a moment, and look again: the latest email is on its way.', href };
    case 'sent':
      return stepAfterSent(latest.events, href);
  }
}

function stepAfterSent(events: Explained['emails'][number]['events'], href: string): NextStep {
  const has = (type: (typeof events)[number]['type']) => events.some((one) => one.type === type);
  if (has('bounced')) {
    return {
      text: 'Send the latest email again: it bounced, and nothing is in its way now.',
      href,
    };
  }
  return has('delivered')
    ? { text: 'Ask the person to look into the spam folder: the server took it.', href }
    : { text: 'Wait, and look again: the recipient’s server has not answered yet.', href };
}
