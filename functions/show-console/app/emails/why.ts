import { explainDiagnostic } from '#shared/sends/explain-diagnostic';
import { bounceCause, complaintCause } from '../suppressions/bounces.ts';
import type { Send } from './outcomes.ts';

/** Why an email didn't simply arrive, for its row in a list; `undefined` where there's nothing to say. */
export function whyOf(send: Send): string | undefined {
  const { outcome, cause = {} } = send;
  switch (outcome) {
    case 'bounced':
    case 'soft_bounced':
      return ofWhom(send, bounceCause(cause));
    case 'complained':
      return ofWhom(send, complaintCause(cause.reason));
    case 'delayed':
      return ofWhom(send, delayCause(cause.diagnostic));
    case 'failed':
      return failureCause(send.failureReason);
    case 'suppressed':
      return suppressionCause(send.suppressedRecipients);
    default:
      return undefined;
  }
}

/** Among several recipients, whose server said so. */
const ofWhom = ({ cause, toEmail, to = [toEmail], cc, bcc }: Send, why: string): string =>
  cause?.email && to.length + cc.length + bcc.length > 1 ? `${cause.email}: ${why}` : why;

function delayCause(diagnostic = ''): string {
  const why = explainDiagnostic(diagnostic);
  return why ? `Not yet: ${why}` : 'The server doesn’t take it yet';
}

const failureCause = (reason = ''): string =>
  reason === '' || reason === 'not_accepted' ? 'Amazon SES never accepted it' : reason;

const blockWords: ReadonlyMap<string, string> = new Map([
  ['bounce', 'An earlier email bounced'],
  ['complaint', 'Complained about an earlier email'],
  ['manual', 'Blocked by your team'],
  ['unsubscribe', 'Unsubscribed'],
  ['unsubscribed_category', 'Left this category'],
]);

function suppressionCause([first]: Send['suppressedRecipients']): string | undefined {
  return first && (blockWords.get(first.reason) ?? first.reason);
}

const told: ReadonlySet<string> = new Set([
  'bounced',
  'soft_bounced',
  'complained',
  'delayed',
  'failed',
  'suppressed',
] satisfies Send['outcome'][]);

/** Whether every row of a list has a why. */
export const alwaysSaysWhy = (outcomes: readonly string[]): boolean =>
  outcomes.length > 0 && outcomes.every((one) => told.has(one));
