import * as z from 'zod/mini';
import type { SuppressionReason } from '#shared/contacts/contact';
import { isHardBounce } from '#shared/suppressions/bounce-kinds';
import { type Cause, type CauseCode, causeOf, causeRules, ruleOf } from './causes.ts';
import type { Outcome } from './outcome.ts';

/** Reasons of a `failed` email that mean more than “refused”: the service's own, in `Send.attempts`. */
const failures = {
  not_accepted: {
    why: 'Amazon SES never accepted it',
    next: 'Send it again from your application, under the same idempotency key.',
  },
  template_unusable: {
    why: 'its template no longer fits its variables, or its alias has no template',
    next: 'Publish a template that fits, then send it again from your application.',
  },
  template_gone: {
    why: 'its template was deleted',
    next: 'Choose another template in your application, then send it again.',
  },
  attachment_unavailable: {
    why: 'an attachment couldn’t be loaded',
    next: 'Make the file available, then send it again from your application.',
  },
  ses_too_busy: {
    why: 'Amazon SES took no more emails at the time',
    next: 'Send it again from your application, under the same idempotency key.',
  },
  ses_unreachable: {
    why: 'Amazon SES couldn’t be reached',
    next: 'Send it again from your application, under the same idempotency key.',
  },
  ses_refused: {
    why: 'Amazon SES or the service refused it',
    next: 'Fix what made it fail, then send it again from your application.',
  },
} as const;
type FailureCode = keyof typeof failures;

const failuresByReason: ReadonlyMap<string, FailureCode> = new Map([
  ['', 'ses_refused'],
  ['not_accepted', 'not_accepted'],
  ['TemplateUnusable', 'template_unusable'],
  ['TemplateGone', 'template_gone'],
  ['AttachmentUnavailable', 'attachment_unavailable'],
  ['Throttled', 'ses_too_busy'],
  ['Unreachable', 'ses_unreachable'],
]);

/** By the reason of a suppression, and what several recipients with different reasons have in common. */
const suppressions = {
  suppressed_bounce: {
    why: 'an earlier email bounced',
    next: 'Check the address for typos. Lift the suppression only if its owner says that it works.',
  },
  suppressed_complaint: {
    why: 'the person marked an earlier email as spam',
    next: 'Leave it suppressed, unless the person asks for email again.',
  },
  suppressed_manual: {
    why: 'your team suppressed the address',
    next: 'Ask your team why. If it’s no longer right, lift the suppression.',
  },
  unsubscribed: {
    why: 'the person unsubscribed',
    next: 'Nothing to do. The person gets transactional email only, as they asked.',
  },
  unsubscribed_category: {
    why: 'the person left this category',
    next: 'Nothing to do: it’s the person’s choice. Other categories still reach them.',
  },
  suppressed: {
    why: 'everyone in “to” is suppressed',
    next: 'Look at each address. Lift a suppression only if it’s wrong.',
  },
} as const;
type SuppressionCode = keyof typeof suppressions;

const suppressionsByReason: ReadonlyMap<string, SuppressionCode> = new Map([
  ['bounce', 'suppressed_bounce'],
  ['complaint', 'suppressed_complaint'],
  ['manual', 'suppressed_manual'],
  ['unsubscribe', 'unsubscribed'],
  ['unsubscribed_category', 'unsubscribed_category'],
]);

const suppressionRuleOf = (reason: string) => {
  const code = suppressionsByReason.get(reason) ?? 'suppressed';
  return { code, ...suppressions[code] };
};

type Suppressed = {
  readonly reason: SuppressionReason;
  readonly diagnostic?: string | undefined;
  readonly email?: string | null | undefined;
  readonly possible?: true | undefined;
};

/** What a suppression means for the emails to come. */
export function verdictOfSuppression(suppressed: Suppressed): Verdict {
  const { reason, possible } = suppressed;
  const isBulkOnly = possible === true || reason === 'unsubscribe';
  const scope = isBulkOnly ? 'Only transactional email goes out' : 'No email goes out';
  const { code, next, ...rule } = suppressionRuleOf(reason);
  const known = possible === true ? possiblyComplained : rule.why;
  const { why, words } = becauseOf(suppressed);
  return { code, sentence: `${scope}: ${known}${words}`, why, next };
}

const possiblyComplained = 'one of several recipients marked an email as spam, possibly this one';

const noCause = { why: undefined, words: '' };

function becauseOf({ reason, diagnostic = '', email }: Suppressed) {
  if (diagnostic === '') return noCause;
  if (reason === 'complaint') {
    const why = complaints.get(diagnostic);
    return why === undefined ? noCause : { why, words: ` (${why})` };
  }
  const cause = causeOf({ diagnostic });
  if (reason !== 'bounce' || cause.code === 'unexplained') return noCause;
  const words = `, as ${wordsOf(cause, { email: email ?? undefined })}`;
  return { why: ruleOf(cause.code).why, words };
}

/** RFC 5965 §3.5, "Feedback-Type": what the complainant did. */
const complaints: ReadonlyMap<string, string> = new Map([
  ['abuse', 'the reader pressed “spam”'],
  ['auth-failure', 'the mailbox provider couldn’t tell that it’s yours'],
  ['fraud', 'the reader reported it as fraud'],
  ['virus', 'a virus was found in it'],
]);

/** The sentences that don't depend on anybody's words. */
const plain = {
  scheduled: ['Scheduled: it goes out at its time', 'Until then, you can reschedule or cancel it.'],
  queued: ['Queued: it goes out soon, or is retried', 'Nothing to do. Look again in a moment.'],
  held_up_by_template: [
    'Queued: its template no longer fits its variables',
    'Publish one that fits under the same alias or ID within two days, and it goes out within the hour.',
  ],
  sending: [
    'Being sent: the answer of Amazon SES isn’t known yet',
    'Nothing to do. Look again in a moment.',
  ],
  canceled: [
    'Not sent: it was canceled before it was due',
    'If that was a mistake, send it again from your application.',
  ],
  awaiting_answer: [
    'Sent: the recipient’s server hasn’t answered yet',
    'Nothing to do. A delivery, a delay or a bounce follows.',
  ],
  delivered: [
    'Delivered: the recipient’s server accepted it',
    'If it isn’t in the inbox, ask the person to check their spam folder and filters.',
  ],
  delivered_to_some: [
    'No bounce so far: Amazon SES doesn’t say which recipient’s server accepted it',
    'If it isn’t in an inbox, ask the person to check their spam folder and filters.',
  ],
  opened: ['Delivered, and opened', undefined],
  clicked: ['Delivered, and a link in it was clicked', undefined],
  complained: [
    'Delivered, then marked as spam',
    'Leave the address suppressed, unless the person asks for email again.',
  ],
  possibly_complained: [
    'Delivered, then marked as spam by one of its recipients',
    'Mailbox providers hide who it was, so none of them gets bulk email from now on.',
  ],
} as const satisfies Record<string, readonly [sentence: string, next: string | undefined]>;
type PlainCode = keyof typeof plain;

const names = <Code extends string>(of: Readonly<Record<Code, unknown>>): Code[] => {
  const codes: Code[] = [];
  for (const code in of) codes.push(code);
  return codes;
};

export const verdictCodes = [
  ...names<PlainCode>(plain),
  ...names<SuppressionCode>(suppressions),
  ...names<FailureCode>(failures),
  ...names<CauseCode>(causeRules),
];
export type VerdictCode = (typeof verdictCodes)[number];

export const verdictSchema = z.object({
  code: z.enum(verdictCodes),
  sentence: z.string(),
  /** The part of the sentence that says why, for a row that shows outcome and address already. */
  why: z.optional(z.string()),
  next: z.optional(z.string()),
  receiver: z.optional(z.object({ name: z.string(), page: z.string() })),
});
export type Verdict = z.infer<typeof verdictSchema> & {
  /** Whether what happened suppressed the address, or it was suppressed already. Answers leave it out. */
  readonly suppresses?: true;
};

/** What is known of an email, or of an email and one of its recipients. */
export type Told = {
  readonly outcome: Outcome;
  /** Of the event, the failure or the suppression that decided the outcome. */
  readonly reason?: string | undefined;
  readonly diagnostic?: string | undefined;
  /** Whose server it was. Only the domain is shown, and not of an erased address. */
  readonly email?: string | undefined;
  /** SES named several recipients of the complaint. */
  readonly isPossible?: boolean | undefined;
  /** Deliveries, opens and clicks may be another recipient's: SES doesn't say whose. */
  readonly isShared?: boolean | undefined;
  /** Who decided that opens aren't tracked. */
  readonly untracked?: keyof typeof untrackedWords | undefined;
};

const untrackedWords = {
  email: 'its request said so',
  policy: 'its policy says so',
  organization: 'the organization’s settings say so',
} as const;

/** The one place that judges why an email didn't arrive, and what to do next. */
export function verdictOf(told: Told): Verdict {
  const verdict = judge(told);
  return suppresses(told, verdict) ? { ...verdict, suppresses: true } : verdict;
}

/** Neither whom SES alone suppresses, nor who left a category: lifting wouldn't help them. */
function suppresses({ outcome, reason }: Told, { code }: Verdict): boolean {
  switch (outcome) {
    case 'suppressed':
      return code !== 'unsubscribed_category';
    case 'complained':
      return true;
    case 'bounced':
    case 'soft_bounced':
      return (outcome === 'bounced' || isHardBounce(reason)) && !isOfSes(code);
    default:
      return false;
  }
}

const isOfSes = (code: VerdictCode): boolean => code === 'on_ses_list' || code === 'doubted_by_ses';

function judge(told: Told): Verdict {
  switch (told.outcome) {
    case 'failed':
      return verdictOfFailure(told.reason);
    case 'suppressed': {
      const { code, why, next } = suppressionRuleOf(told.reason ?? '');
      return { code, sentence: `Not sent: ${why}`, why, next };
    }
    case 'bounced':
    case 'soft_bounced':
    case 'delayed':
      return verdictOfRefusal(told.outcome, told);
    case 'complained':
      return told.isPossible === true
        ? plainVerdict('possibly_complained')
        : { ...plainVerdict('complained'), why: complaints.get(told.reason ?? '') };
    case 'delivered':
    case 'opened':
    case 'clicked':
      return verdictOfDelivery(told.outcome, told);
    case 'sent':
      return plainVerdict('awaiting_answer');
    case 'queued':
      return plainVerdict(told.reason === 'TemplateUnusable' ? 'held_up_by_template' : 'queued');
    default:
      return plainVerdict(told.outcome);
  }
}

function plainVerdict(code: PlainCode): Verdict {
  const [sentence, next] = plain[code];
  return { code, sentence, next };
}

function verdictOfDelivery(outcome: 'delivered' | 'opened' | 'clicked', told: Told): Verdict {
  const { next, ...verdict } = plainVerdict(told.isShared === true ? 'delivered_to_some' : outcome);
  if (told.untracked === undefined || outcome !== 'delivered') return { ...verdict, next };
  const untracked = `Whether it was opened isn’t tracked: ${untrackedWords[told.untracked]}.`;
  return { ...verdict, next: next === undefined ? untracked : `${next} ${untracked}` };
}

function verdictOfFailure(reason = ''): Verdict {
  const code = failuresByReason.get(reason) ?? 'ses_refused';
  const { why: cause, next } = failures[code];
  const isNamed = code === 'ses_refused' && reason !== '';
  const why = isNamed ? `${cause} (${clipped(reason, 60)})` : cause;
  return { code, sentence: `Not sent: ${why}`, why, next };
}

const prefixes = {
  bounced: 'Not delivered',
  soft_bounced: 'Not delivered this time',
  delayed: 'Not delivered yet',
} as const;

function verdictOfRefusal(outcome: keyof typeof prefixes, told: Told): Verdict {
  const cause = causeOf(told);
  return {
    code: cause.code,
    sentence: `${prefixes[outcome]}: ${wordsOf(cause, told)}`,
    why: ruleOf(cause.code).why,
    next: nextAfter(outcome, cause.code, told),
    receiver: cause.receiver,
  };
}

function wordsOf(cause: Cause, told: Pick<Told, 'email'>): string {
  const { why, says } = ruleOf(cause.code);
  return says === undefined ? why : `${whoSays(cause, told)} says ${why}`;
}

/** Longer names would leave no room for what they say. */
const longestName = 50;

function whoSays({ receiver }: Cause, { email = '' }: Pick<Told, 'email'>): string {
  if (receiver !== undefined) return receiver.name;
  const domain = email.includes('@') ? email.slice(email.lastIndexOf('@') + 1) : '';
  // SES may report any text as an address.
  return /^[\p{L}\p{N}.-]+$/u.test(domain) && domain.length <= longestName
    ? domain
    : 'the recipient’s server';
}

/** What is permanent isn't tried again: neither SES nor the application should. */
function nextAfter(outcome: keyof typeof prefixes, code: CauseCode, { reason }: Told): string {
  const { fix, isPassing } = ruleOf(code);
  if (outcome === 'delayed') {
    const wait = 'Amazon SES keeps trying, and a delivery or a bounce follows.';
    return fix === undefined ? `Nothing to do yet. ${wait}` : `${fix} ${wait}`;
  }
  if (outcome === 'bounced' || isHardBounce(reason)) {
    if (isOfSes(code)) return fix ?? '';
    return fix === undefined
      ? 'Ask the person for another address. Lift the suppression only if they say that this one works.'
      : `${fix} Then lift the suppression, so that later emails go out.`;
  }
  if (fix !== undefined) return `${fix} Then send it again: nothing blocks the address.`;
  return isPassing === true
    ? 'Send it again later: nothing blocks the address.'
    : 'Check the address with the person. Nothing blocks it: a later email is tried.';
}

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** For the table in the docs. */
export const documentedCauses = (): readonly {
  readonly code: VerdictCode;
  readonly meaning: string;
  readonly next: string;
}[] => [
  ...names<FailureCode>(failures).map((code) => ({
    code,
    meaning: failures[code].why,
    next: failures[code].next,
  })),
  ...names<SuppressionCode>(suppressions).map((code) => ({
    code,
    meaning: suppressions[code].why,
    next: suppressions[code].next,
  })),
  ...names<CauseCode>(causeRules).map((code) => ({
    code,
    meaning: ruleOf(code).why,
    next: ruleOf(code).fix ?? (ruleOf(code).isPassing ? 'Send it again later.' : 'Ask the person.'),
  })),
];

export const exampleVerdict = {
  code: 'no_such_mailbox',
  sentence: 'Not delivered: example.com says this mailbox doesn’t exist',
  why: 'this mailbox doesn’t exist',
  next: 'Ask the person for another address. Lift the suppression only if they say that this one works.',
} as const satisfies Verdict;

export const exampleDelivered = verdictOf({ outcome: 'delivered' });
