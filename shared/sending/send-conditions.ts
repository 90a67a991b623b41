import type { Send } from './send.ts';

// The clauses that a write of a send may ask for. Their names make a condition read as a sentence.

/** No other send has the slot by now. */
export const isSameSend = 'nonce = :nonce';
export const isSameAttempt = 'attempt = :attempt';
/** A manager has not freed its idempotency key. */
export const hasItsKey = 'attribute_not_exists(freed)';
export const isSending = '#status = :sending';
export const isSent = '#status = :sent';
/** Nothing but its missing message proves that SES has the email: see `provenAt` in `send.ts`. */
export const isNotProven = 'attribute_not_exists(provenAt)';
/** Nobody was erased from the send since it was seen. What webhooks are told of it names nobody by more than these. */
export const isNamedAsSeen = 'toEmail = :toEmail AND subject = :subject';
export const namesOf = ({ toEmail, subject }: Pick<Send, 'toEmail' | 'subject'>) => ({
  ':toEmail': toEmail,
  ':subject': subject,
});
export const hasNoMessage = 'attribute_not_exists(providerMessageId)';
export const hasThisMessage = 'providerMessageId = :providerMessageId';
