import * as z from 'zod';
import type { SesAnswer, SesCall, SesState } from './ses-account.ts';
import type { SesEvent } from './ses-events.ts';

const listPath = '/suppression/addresses';
const putRequest = z.object({ EmailAddress: z.string(), Reason: z.enum(['BOUNCE', 'COMPLAINT']) });

/**
 * Answers what SES v2 answers about the account's suppression list. SES keeps each address as it was written, and its
 * calls know an address by that spelling only; sending takes no notice of the case (SES guide, "Managing tenant
 * suppression list entries").
 */
export function answerSuppressionCall(
  { method, path, body }: SesCall,
  { suppressed }: SesState,
): SesAnswer | undefined {
  if (method === 'PUT' && path === listPath) {
    const { EmailAddress, Reason: reason } = putRequest.parse(body);
    suppressed[EmailAddress] = { reason, at: Date.now() };
    return { status: 200, json: {} };
  }
  if (!path.startsWith(`${listPath}/`)) return undefined;
  const EmailAddress = path.slice(listPath.length + 1);
  const entry = suppressed[EmailAddress];
  if (entry === undefined) return notFound(EmailAddress);
  if (method === 'DELETE') {
    delete suppressed[EmailAddress];
    return { status: 200, json: {} };
  }
  const { reason: Reason, at } = entry;
  const SuppressedDestination = { EmailAddress, Reason, LastUpdateTime: at / 1000 };
  return { status: 200, json: { SuppressedDestination } };
}

const notFound = (address: string): SesAnswer => ({
  status: 404,
  error: 'NotFoundException',
  json: { message: `Email address ${address} does not exist on your suppression list.` },
});

/** Whether SES would take an email to the address and not send it. */
export const isSuppressed = (address: string, { suppressed }: SesState): boolean =>
  Object.keys(suppressed).some((listed) => listed.toLowerCase() === address.toLowerCase());

/** SES lists who bounces for good and who complains. */
export function noteBadAddresses(event: SesEvent, { suppressed }: SesState): void {
  for (const [address, reason] of badAddressesOf(event)) {
    suppressed[address] = { reason, at: Date.now() };
  }
}

function badAddressesOf(event: SesEvent): (readonly [string, 'BOUNCE' | 'COMPLAINT'])[] {
  if (event.eventType === 'Bounce' && event.bounce.bounceType === 'Permanent') {
    return event.bounce.bouncedRecipients.map(({ emailAddress }) => [emailAddress, 'BOUNCE']);
  }
  if (event.eventType !== 'Complaint') return [];
  return event.complaint.complainedRecipients.map(({ emailAddress }) => [
    emailAddress,
    'COMPLAINT',
  ]);
}
