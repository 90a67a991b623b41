/** RFC 3463 §2: class, subject and detail, if a server's reply has them. The lookarounds skip parts of IP addresses. */
const enhancedStatus = /(?<![.\d])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** RFC 3463 §3 and the IANA registry "SMTP Enhanced Status Codes", by subject and detail. */
const details: ReadonlyMap<string, string> = new Map([
  ['1.1', 'there is no such mailbox'],
  ['1.2', 'the domain of the address has no mail server'],
  ['1.3', 'the server does not accept the syntax of the address'],
  ['1.6', 'the mailbox has moved without a forwarding address'],
  ['1.10', 'the domain does not accept email'],
  ['2.1', 'the mailbox is disabled'],
  ['2.2', 'the mailbox is full'],
  ['2.3', 'the email is too large for the mailbox'],
  ['3.4', 'the email is too large for the server'],
  ['4.1', "the recipient's server did not answer"],
  ['4.4', "no route to the recipient's server was found"],
  ['4.7', "the recipient's server could not be reached in time"],
  ['7.1', "the recipient's server refuses this email because of its own rules"],
  ['7.20', 'the DKIM signature did not pass'],
  ['7.23', 'the email did not pass SPF'],
  ['7.25', "the sender's server has no reverse DNS name"],
  ['7.26', 'the email passed neither SPF nor DKIM'],
]);

const subjects: ReadonlyMap<string, string> = new Map([
  ['1', 'there is a problem with the address'],
  ['2', 'there is a problem with the mailbox'],
  ['3', "the recipient's mail system cannot accept it"],
  ['4', 'there is a problem with the network or the routing'],
  ['5', 'the two servers did not understand each other'],
  ['6', 'the server cannot handle the content'],
  ['7', "the recipient's server refuses it because of its rules"],
]);

/** As `details`, where Gmail means something else or says more: its page "Gmail SMTP errors and codes". */
const detailsOfGmail: ReadonlyMap<string, string> = new Map([
  ['2.1', 'the person is getting more email at the moment than Gmail takes'],
  ['7.24', 'Gmail finds the SPF record of the domain suspicious'],
  ['7.26', 'Gmail could not verify the sender: neither SPF nor DKIM passed, or DMARC did not'],
  ['7.27', 'Gmail found that SPF did not pass'],
  ['7.28', 'Gmail limits the sender, as unusually much of its email looks unsolicited'],
  ['7.30', 'Gmail found that the DKIM signature did not pass'],
  ['7.32', 'Gmail found that neither SPF nor DKIM passed for the domain in From'],
]);

const isOfGmail = (diagnostic: string): boolean =>
  /\bgsmtp\b|\bsupport\.google\.com\b/.test(diagnostic);

/** Replies whose status says less than their words: Outlook.com's and Yahoo's postmaster pages, Apple's developer help. */
const repliesOfReceivers: readonly (readonly [reply: RegExp, meaning: string])[] = [
  [
    /\bunauthorized sender\b|\btransformation error\b/i,
    'Apple’s private relay takes email only from what is registered in the app’s Apple developer account',
  ],
  [/\b5\.7\.515\b/, 'Outlook wants SPF, DKIM and DMARC to pass for the domain in From'],
  [/\(S31[45]0\)/, 'Outlook blocks the IP address that Amazon SES sent from: ask AWS Support'],
  [
    /\[TSS0[4-6]\]/,
    'Yahoo defers email from this IP address of Amazon SES, because of its volume or of complaints',
  ],
];

/**
 * The reply in plain English; `undefined` if it has no status.
 *
 * @param diagnostic such as `smtp; 550 5.1.1 user unknown`.
 */
export function explainDiagnostic(diagnostic: string): string | undefined {
  const own = repliesOfReceivers.find(([reply]) => reply.test(diagnostic));
  if (own) return own[1];
  const [, , subject = '', detail = ''] = enhancedStatus.exec(diagnostic) ?? [];
  const status = `${subject}.${detail}`;
  const byGmail = isOfGmail(diagnostic) ? detailsOfGmail.get(status) : undefined;
  return byGmail ?? details.get(status) ?? subjects.get(subject);
}
