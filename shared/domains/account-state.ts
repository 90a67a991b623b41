import * as z from 'zod/mini';

export const sesAccountSchema = z.object({
  region: z.string(),
  /** If false, the account is in the sandbox: it sends to verified addresses only, 200 a day. */
  hasProductionAccess: z.boolean(),
  isSendingEnabled: z.boolean(),
  /** `HEALTHY`, `PROBATION` or `SHUTDOWN`. */
  enforcementStatus: z.string(),
});
export type SesAccount = Readonly<z.infer<typeof sesAccountSchema>> & {
  /** Recipients in any 24 hours; `undefined` without a limit. */
  readonly dailyQuota?: number | undefined;
};

export const accountProblemSchema = z.object({
  code: z.enum(['sandbox', 'sending_disabled', 'under_review', 'shut_down']),
  message: z.string(),
  wayOut: z.string(),
});
export type AccountProblem = Readonly<z.infer<typeof accountProblemSchema>>;

/** Only the operator can fix these. */
export function problemsOf({
  region,
  hasProductionAccess,
  isSendingEnabled,
  enforcementStatus,
}: SesAccount): AccountProblem[] {
  const problems: AccountProblem[] = [];
  if (enforcementStatus === 'SHUTDOWN') {
    problems.push({
      code: 'shut_down',
      message: `AWS has shut down sending for this account in ${region}.`,
      wayOut:
        'Read the case that AWS opened in Support, fix the cause and reply there. That’s the only way to get sending back.',
    });
  } else if (enforcementStatus === 'PROBATION') {
    problems.push({
      code: 'under_review',
      message: `AWS has put this account under review in ${region}. It still sends.`,
      wayOut: 'Read the case that AWS opened in Support, and fix the cause before the review ends.',
    });
  }
  if (!hasProductionAccess) {
    problems.push({
      code: 'sandbox',
      message: `The account is in the SES sandbox in ${region}: it can send only to verified addresses, at most 200 emails a day.`,
      wayOut: `Ask AWS for production access in ${region} (each Region needs its own): SES console, "Get set up", or aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --contact-language EN --website-url <your site> --region ${region}. AWS asks for a description: the console and npm run manage -- identity status show a draft. It usually answers within a day.`,
    });
  }
  if (!isSendingEnabled && enforcementStatus !== 'SHUTDOWN') {
    problems.push({
      code: 'sending_disabled',
      message: `Sending is turned off for this account in ${region}.`,
      wayOut: `Turn it on: aws sesv2 put-account-sending-attributes --sending-enabled --region ${region}`,
    });
  }
  return problems;
}

export const productionAccessRequestFor = (domain: string): string =>
  `We request production access for Amazon SES to send transactional email from ${domain}.

What we send: [receipts, password resets, account notices] to people who [signed up for or bought] at https://${domain}. They gave us their addresses themselves: [where and how]. We don't buy or rent lists.

How much: about [number] emails a day, at most [number] a second.

Bounces and complaints: our service processes SES events, and automatically stops emailing an address at its first permanent bounce or complaint.

Unsubscribing: every email to a single recipient carries one-click unsubscribe headers (RFC 8058), and bulk email also links to a preference page. Both take effect at once.

Authentication: ${domain} signs with Easy DKIM, has a custom MAIL FROM domain with SPF, and a DMARC record.
`;
