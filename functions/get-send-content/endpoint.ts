import * as z from 'zod/mini';
import { bucketEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { htmlPage } from '#shared/http/response-body';
import { keptContentSchema } from '#shared/sending/kept-content';
import { optionWords } from '#shared/sending/send-options';
import { sendViewSchema } from '#shared/sends/send-view';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';

const fromSend = z.pick(sendViewSchema, {
  fromEmail: true,
  fromName: true,
  toEmail: true,
  to: true,
  cc: true,
  bcc: true,
  replyTo: true,
  headers: true,
});

export const contentSchema = z.object({
  sendId: sendIdSchema,
  ...fromSend.shape,
  subject: z.string(),
  content: z.string(),
  htmlContent: z.optional(z.string()),
  attachments: keptContentSchema.shape.attachments,
  attachmentsKept: z.boolean(),
  contentUntil: z.int(),
});

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/sends/{id}/content',
  access: { key: 'required', scope: 'read_content' },
  ...sendPath,
  query: z.strictObject({
    as: z.optional(z.literal('page')),
    part: z.optional(z.enum(['html', 'text'])),
    images: z.optional(z.literal('remote')),
  }),
  answers: {
    200: {
      body: z.union([contentSchema, htmlPage]),
      description: 'The content of the email.',
      example: {
        sendId: exampleIds.send,
        fromEmail: 'hello@northwind.example',
        toEmail: 'ann@example.com',
        cc: [],
        bcc: [],
        subject: 'Welcome',
        content: 'Hello Ann',
        htmlContent: '<p>Hello Ann</p>',
        attachments: [{ filename: 'terms.pdf', contentType: 'application/pdf', size: 48_213 }],
        attachmentsKept: true,
        contentUntil: exampleTime + 30 * 86_400_000,
      },
    },
  },
  errors: ['content_not_kept'],
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    environment: bucketEnvironment,
    tableActions: ['GetItem'],
    writesAudit: true,
    contents: { kept: ['Get'] },
  },
  words: {
    section: 'Sends',
    summary: 'Read the content of an email',
    description: `Returns the email as it was sent, if the organization keeps contents (\`keepContentDays\`) and the email's policy allows it. Two things differ: links are as you wrote them, not tracked, and those to unsubscribe and to the preferences are dead, since they would act for the recipient.

Each reading is in the audit, and counts towards the organization's changes of the day.`,
    fields: {
      as: '`page`: the content as a page for a frame of the console. No script runs in it, no link works, and nothing remote loads unless `images` says so.',
      part: 'What the page shows: `html`, or `text` with own headers and attachments. Without HTML always the text.',
      images: '`remote`: the page loads remote images and fonts, which tells their hosts.',
      content: 'The text body.',
      htmlContent: 'The HTML body, if there is one.',
      attachments: 'Names, types and sizes of its attachments.',
      attachmentsKept:
        'Whether their bytes are stored too, so that the email can be sent again. `true` without attachments.',
      'attachments.size': 'In bytes.',
      contentUntil: 'Until when the content is kept, in epoch milliseconds.',
      fromName: 'The name before the From address, if the request gave one.',
      replyTo: optionWords().replyTo,
      headers: 'The email’s own headers.',
    },
    example: { path: { id: exampleIds.send } },
  },
});
