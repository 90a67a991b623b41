import * as z from 'zod/mini';
import { sendingEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { toAddresses } from '#shared/sending/request/send-fields';
import { sendWords } from '#shared/sending/request/send-words';
import { sendDeclaration } from '#shared/sending/send-declaration';
import { exampleIds } from '#shared/tokens/example-values';

// Without uploads, and without a share of the sending programs' concurrency.
const {
  attachmentsBucket: _,
  reservation: __,
  sendsTestEmail: ___,
  ...lambda
} = sendDeclaration.lambda;

export const endpoint = defineEndpoint({
  ...sendDeclaration,
  // No test keys: kept content is real.
  access: { key: 'required', scope: 'send_email', freshSession: ['to'] },
  route: 'POST /api/v1/sends/{id}/resend',
  ...sendPath,
  body: z.strictObject({ to: z.optional(toAddresses) }),
  isBodyOptional: true,
  // Only counted if `to` is given.
  isLimited: true,
  errors: ['content_not_kept', 'attachments_not_kept', ...sendDeclaration.errors],
  lambda: {
    ...lambda,
    stack: 'Recipients',
    environment: sendingEnvironment,
    writesAudit: true,
    contents: { kept: ['Get', 'Put'] },
  },
  words: {
    section: 'Sends',
    summary: 'Send an email again',
    description: `Sends the kept content of an email as a new send, with its own ID, idempotency key, limits, suppressions and tracking. Sender, recipients, policy and options are the first email's; policy and suppressions apply as they are now. The new send has \`resendOf\`, the first one \`resentAs\`.

With \`to\` the email goes to somebody else instead of all its recipients. That shows them the content, so the key needs the scope \`read_content\` too, and the audit has the reading.

Needs a kept content (\`keepContentDays\`), with its attachments: \`attachmentsKept\` of \`GET /api/v1/sends/{id}/content\` says whether they could be stored.`,
    fields: {
      status: sendWords.fields.status,
      messageId: sendWords.fields.messageId,
      to: 'Who gets it in place of the first email’s `to`, `cc` and `bcc`: one address, or several as a list.',
    },
    example: {
      path: { id: exampleIds.send },
      headers: { 'idempotency-key': 'welcome-ann-again' },
      body: {},
    },
  },
});
