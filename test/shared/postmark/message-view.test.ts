import { expect, it } from 'vitest';
import { toMessage } from '#shared/postmark/message-view';
import { namesInQuotes } from '../../support/names-in-quotes.ts';
import { buildSend } from '../../support/send-builder.ts';

it.each(namesInQuotes)('a message from %j has its sender as a mailbox', (fromName, mailbox) => {
  const send = buildSend({ fromName });

  expect(toMessage(send, [], send.createdAt).From).toBe(mailbox);
});
