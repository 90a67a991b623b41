import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendAsAsked } from '#shared/sending/answer-send';
import { sendWords } from '#shared/sending/request/send-words';
import { sendDeclaration } from '#shared/sending/send-declaration';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/emails/send',
    ...sendDeclaration,
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...sendWords,
      summary: 'Send an email',
      description: `Sends one email, from the organization’s From identity or any other address of its active domains.

Give \`subject\` and a body (\`content\` for text, \`htmlContent\` for HTML, or both), or \`template\` and \`variables\`. With a template, \`subject\`, \`from\` and \`replyTo\` override the template’s.

An idempotency key is your name for one email: however often you repeat the request, at most one goes out, and you get the first answer, with \`reused: true\`. After 409, 429, 500 or a 402 with \`Retry-After\`, wait that long and repeat it with the same key.

Suppressed recipients are left out. If no \`to\` is left, no email goes out: the answer is 200 with \`status: "suppressed"\`.`,
      example: {
        headers: { 'idempotency-key': 'welcome-ann' },
        body: {
          to: 'ann@example.com',
          subject: 'Welcome',
          content: 'Hello Ann',
          htmlContent: '<p>Hello <a href="https://example.com/start">Ann</a></p>',
        },
      },
    },
  },
  (request, sending) => sendAsAsked('send', request, sending),
);
