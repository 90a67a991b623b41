import { explainDiagnostic } from '#shared/send-history/explain-diagnostic';
import { bounceCause, complaintCause } from '../suppressions/bounces.ts';
import { othersIn, type Send } from './outcomes.ts';

/** Why an email didn't simply arrive, for its row in a list; `undefined` if there's nothing to say. */
export const whyOf = (send: Send): string | undefined => whys.get(send.outcome)?.(send);

/** Whether every row of a list with these outcomes has a why. */
export const alwaysSaysWhy = (outcomes: readonly Send['outcome'][]): boolean =>
  outcomes.length > 0 && outcomes.every((one) => whys.has(one));

const bounceWhy = (send: Send) => withRecipient(send, bounceCause(send.cause ?? {}));

const whys: ReadonlyMap<Send['outcome'], (send: Send) => string | undefined> = new Map([
  ['bounced', bounceWhy],
  ['soft_bounced', bounceWhy],
  ['complained', (send) => withRecipient(send, complaintCause(send.cause?.reason))],
  ['delayed', (send) => withRecipient(send, delayCause(send.cause?.diagnostic))],
  ['failed', ({ failureReason }) => failureCause(failureReason)],
  ['suppressed', ({ suppressedRecipients }) => suppressionCause(suppressedRecipients)],
]);

/** With several recipients, names the one whose server said so. */
const withRecipient = (send: Send, why: string): string =>
  send.cause?.email && othersIn(send) > 0 ? `${why} (${send.cause.email})` : why;

function delayCause(diagnostic = ''): string {
  const why = explainDiagnostic(diagnostic);
  return why ? `Not yet: ${why}` : 'The server isn’t accepting it yet';
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
