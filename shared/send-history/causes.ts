import { providerReasonOf } from '#shared/suppressions/bounce-kinds';

/**
 * What keeps an email from its reader, said once: `why` completes “gone.example says …” where a server said it, and
 * stands alone where nobody did.
 */
type Rule = {
  readonly why: string;
  /** Whose words they are. Otherwise nobody's: it's a fact, or what SES decided. */
  readonly says?: 'server';
  /** What the sender can mend. Without it, the address or its mailbox is the cause. */
  readonly fix?: string;
  /** It passes by itself: a later email may arrive. */
  readonly isPassing?: true;
};

const askForAuthentication =
  'Check the DNS records of the domain you send from: SPF, DKIM and DMARC must pass.';

export const causeRules = {
  no_such_mailbox: { says: 'server', why: 'this mailbox doesn’t exist' },
  no_mail_server: { why: 'the domain of the address has no mail server' },
  invalid_address: { says: 'server', why: 'the address isn’t valid' },
  mailbox_moved: { says: 'server', why: 'the mailbox has moved without a new address' },
  domain_takes_no_email: { says: 'server', why: 'its domain takes no email' },
  mailbox_disabled: { says: 'server', why: 'this mailbox is disabled' },
  mailbox_full: { says: 'server', why: 'the mailbox is full', isPassing: true },
  mailbox_busy: {
    says: 'server',
    why: 'the person gets more email than it takes at the moment',
    isPassing: true,
  },
  email_too_large: {
    says: 'server',
    why: 'the email is too large',
    fix: 'Make the email smaller, for example with links instead of attachments.',
  },
  server_unreachable: { why: 'the recipient’s server couldn’t be reached', isPassing: true },
  content_refused: {
    says: 'server',
    why: 'it doesn’t take the content of the email',
    fix: 'Look for what its filter dislikes: links, words, attachments.',
  },
  attachment_refused: {
    says: 'server',
    why: 'it doesn’t take an attachment of the email',
    fix: 'Send the file as a link, or in another format.',
  },
  refused_by_rules: {
    says: 'server',
    why: 'its own rules don’t allow this email',
    fix: 'Ask the person, or the administrator of their domain, to allow email from you.',
  },
  sender_not_authenticated: {
    says: 'server',
    why: 'it can’t verify the sender by SPF, DKIM and DMARC',
    fix: askForAuthentication,
  },
  spf_failed: { says: 'server', why: 'SPF didn’t pass', fix: askForAuthentication },
  dkim_failed: { says: 'server', why: 'the DKIM signature didn’t pass', fix: askForAuthentication },
  no_reverse_dns: {
    says: 'server',
    why: 'the sending server has no reverse DNS name',
    fix: 'Ask AWS Support: the server is Amazon SES’s.',
  },
  sender_limited: {
    says: 'server',
    why: 'too much of your email looks unsolicited',
    fix: 'Send less at once, and only to people who want it: look at your complaint rate.',
  },
  ip_address_blocked: {
    says: 'server',
    why: 'it blocks the IP address that Amazon SES sent from',
    fix: 'Ask AWS Support to have the IP address unblocked.',
  },
  ip_address_deferred: {
    says: 'server',
    why: 'volume or complaints make it defer this IP address of Amazon SES',
    fix: 'Send less at once to this receiver, and look at your complaint rate.',
  },
  sender_not_registered: {
    says: 'server',
    why: 'your sender isn’t registered in the app’s Apple developer account',
    fix: 'Register the domain or address you send from in the Apple developer account.',
  },
  automatic_reply: {
    why: 'possibly an automatic reply, such as “out of office”',
    isPassing: true,
  },
  address_problem: { says: 'server', why: 'something is wrong with the address' },
  mailbox_problem: { says: 'server', why: 'something is wrong with the mailbox', isPassing: true },
  server_problem: { says: 'server', why: 'its mail system can’t take it', isPassing: true },
  network_problem: { why: 'the network or the routing failed', isPassing: true },
  protocol_problem: {
    says: 'server',
    why: 'it didn’t understand the sending server',
    isPassing: true,
  },
  content_problem: {
    says: 'server',
    why: 'it can’t handle the format of the email',
    fix: 'Check the format of the email: its parts, encodings and headers.',
  },
  held_by_ses: { why: 'Amazon SES is holding it back', isPassing: true },
  on_ses_list: {
    why: 'the address is on one of Amazon SES’s own suppression lists',
    fix: 'Ask the operator of the service to take the address off that list. It isn’t suppressed here.',
  },
  doubted_by_ses: {
    why: 'Amazon SES’s Auto Validation considers the address invalid',
    fix: 'Check the address for typos. If it’s right, ask the operator to turn Auto Validation off.',
  },
  unexplained: { says: 'server', why: 'it doesn’t take the email' },
  unknown: { why: 'Amazon SES couldn’t find out why', isPassing: true },
} as const satisfies Readonly<Record<string, Rule>>;

export type CauseCode = keyof typeof causeRules;
export const ruleOf = (code: CauseCode): Rule => causeRules[code];

/** RFC 3463 §2: class, subject and detail, if a server's reply has them. The lookarounds skip parts of IP addresses. */
const enhancedStatus = /(?<![.\d])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** RFC 3463 §3 and the IANA registry "SMTP Enhanced Status Codes", by subject and detail. */
const details: ReadonlyMap<string, CauseCode> = new Map([
  ['1.1', 'no_such_mailbox'],
  ['1.2', 'no_mail_server'],
  ['1.3', 'invalid_address'],
  ['1.6', 'mailbox_moved'],
  ['1.10', 'domain_takes_no_email'],
  ['2.1', 'mailbox_disabled'],
  ['2.2', 'mailbox_full'],
  ['2.3', 'email_too_large'],
  ['3.4', 'email_too_large'],
  ['4.1', 'server_unreachable'],
  ['4.4', 'server_unreachable'],
  ['4.7', 'server_unreachable'],
  ['7.1', 'refused_by_rules'],
  ['7.20', 'dkim_failed'],
  ['7.23', 'spf_failed'],
  ['7.25', 'no_reverse_dns'],
  ['7.26', 'sender_not_authenticated'],
]);

const subjects: ReadonlyMap<string, CauseCode> = new Map([
  ['1', 'address_problem'],
  ['2', 'mailbox_problem'],
  ['3', 'server_problem'],
  ['4', 'network_problem'],
  ['5', 'protocol_problem'],
  ['6', 'content_problem'],
  ['7', 'refused_by_rules'],
]);

/** A big receiver, and its own page about replies like this one. */
export type Receiver = { readonly name: string; readonly page: string };

const gmail = { name: 'Gmail', page: 'https://support.google.com/a/answer/3726730' };
const outlook = {
  name: 'Outlook',
  page: 'https://sendersupport.olc.protection.outlook.com/pm/troubleshooting.aspx',
};
const outlookAuthentication = {
  name: 'Outlook',
  page: 'https://support.microsoft.com/en-us/topic/fix-ndr-error-550-5-7-515-in-outlook-com-34cfe8f8-6fbf-457e-9e8b-9e4dbaf4e0ef',
};
const yahoo = { name: 'Yahoo', page: 'https://senders.yahooinc.com/smtp-error-codes/' };
const apple = {
  name: 'Apple’s private relay',
  page: 'https://developer.apple.com/help/account/capabilities/configure-private-email-relay-service/',
};

/** As `details`, where Gmail means something else or says more: its page "Gmail SMTP errors and codes". */
const detailsOfGmail: ReadonlyMap<string, CauseCode> = new Map([
  ['2.1', 'mailbox_busy'],
  ['7.24', 'spf_failed'],
  ['7.27', 'spf_failed'],
  ['7.28', 'sender_limited'],
  ['7.29', 'sender_not_authenticated'],
  ['7.30', 'dkim_failed'],
  ['7.32', 'sender_not_authenticated'],
]);

const isOfGmail = (diagnostic: string): boolean =>
  /\bgsmtp\b|\bsupport\.google\.com\b/.test(diagnostic);

export type Cause = { readonly code: CauseCode; readonly receiver?: Receiver | undefined };

/** Replies whose status says less than their words: what Gmail, Outlook.com, Yahoo and Apple document. */
const repliesOfReceivers: readonly (readonly [reply: RegExp, cause: Cause])[] = [
  [
    /\bunauthorized sender\b|\btransformation error\b/i,
    { code: 'sender_not_registered', receiver: apple },
  ],
  [/\b5\.7\.515\b/, { code: 'sender_not_authenticated', receiver: outlookAuthentication }],
  [/\(S31[45]0\)/, { code: 'ip_address_blocked', receiver: outlook }],
  [/\[TSS0[4-6]\]/, { code: 'ip_address_deferred', receiver: yahoo }],
  [/\bunusual rate of unsolicited mail\b/i, { code: 'sender_limited', receiver: gmail }],
];

/** @param diagnostic such as `smtp; 550 5.1.1 user unknown`. */
function causeInReply(diagnostic: string): Cause | undefined {
  const own = repliesOfReceivers.find(([reply]) => reply.test(diagnostic));
  if (own) return own[1];
  const [, , subject = '', detail = ''] = enhancedStatus.exec(diagnostic) ?? [];
  const status = `${subject}.${detail}`;
  const receiver = isOfGmail(diagnostic) ? gmail : undefined;
  const byGmail = receiver && detailsOfGmail.get(status);
  const code = byGmail ?? details.get(status) ?? subjects.get(subject);
  return code && { code, receiver };
}

/** SES developer guide, "Contents of event data that Amazon SES publishes": kinds of bounces, and `delayType`. */
const kinds: ReadonlyMap<string, CauseCode> = new Map([
  ['Permanent/NoEmail', 'no_such_mailbox'],
  ['Transient/General', 'automatic_reply'],
  ['Transient/MailboxFull', 'mailbox_full'],
  ['Transient/MessageTooLarge', 'email_too_large'],
  ['Transient/ContentRejected', 'content_refused'],
  ['Transient/AttachmentRejected', 'attachment_refused'],
  ['Transient/CustomTimeoutExceeded', 'server_unreachable'],
  ['Undetermined/Undetermined', 'unknown'],
  ['MailboxFull', 'mailbox_full'],
  ['SpamDetected', 'sender_limited'],
  ['RecipientServerError', 'server_problem'],
  ['IPFailure', 'ip_address_blocked'],
  ['TransientCommunicationFailure', 'server_unreachable'],
  ['InternalFailure', 'held_by_ses'],
  ['SendingDeferral', 'held_by_ses'],
]);

const decisions = {
  provider_suppressed: 'on_ses_list',
  address_guess: 'doubted_by_ses',
} as const;

type Said = {
  /** SES's kind of bounce or delay. */
  readonly reason?: string | undefined;
  /** What the recipient's server replied. */
  readonly diagnostic?: string | undefined;
};

/** Why a server, or SES, didn't take an email: by the server's reply, else by SES's words. */
export function causeOf({ reason = '', diagnostic = '' }: Said): Cause {
  const decision = providerReasonOf(reason);
  if (decision !== undefined) return { code: decisions[decision] };
  const said = causeInReply(diagnostic);
  if (said !== undefined) return said;
  // SES calls any bounce that it can't classify `General`: a reply without a status isn't an automatic one.
  const ofKind = kinds.get(reason);
  const isReply = ofKind === 'automatic_reply' && diagnostic !== '';
  return {
    code: (isReply ? undefined : ofKind) ?? (diagnostic === '' ? 'unknown' : 'unexplained'),
  };
}
