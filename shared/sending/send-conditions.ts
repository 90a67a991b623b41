// What a write of a send asks for. The names make a condition read as a sentence.

/** Not another send that has the slot by now. */
export const isSameSend = 'nonce = :nonce';
export const isSameAttempt = 'attempt = :attempt';
export const isSending = '#status = :sending';
export const isSent = '#status = :sent';
/** No pixel or link of its email was fetched. */
export const isNotProven = 'attribute_not_exists(provenAt)';
export const hasNoMessage = 'attribute_not_exists(providerMessageId)';
export const hasThisMessage = 'providerMessageId = :providerMessageId';
