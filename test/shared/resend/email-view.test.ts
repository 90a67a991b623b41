import { expect, it } from 'vitest';
import { toListedEmail } from '#shared/resend/email-view';
import { namesInQuotes } from '../../support/names-in-quotes.ts';
import { buildSend } from '../../support/send-builder.ts';

it.each(namesInQuotes)('an email from %j has its sender as a mailbox', (fromName, mailbox) => {
  const send = buildSend({ fromName });

  expect(toListedEmail(send, send.createdAt).from).toBe(mailbox);
});
