import * as z from 'zod/mini';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { statusOf } from '#shared/errors/errors';
import { renderProblem } from '#shared/http/http-endpoint';
import { previewHeadersFor, previewResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { keptEmailPage, previewErrorPage } from '#shared/pages/preview-page';
import {
  contentRead,
  readSendContent,
  shownBodiesOf,
  withOwnImages,
} from '#shared/send-history/send-content';
import { sendViewSchema, severalTo } from '#shared/send-history/send-view';
import { contentUntil, keptContentSchema } from '#shared/sending/kept-content';
import { optionWords } from '#shared/sending/send-options';
import { readsKeptContents } from '#shared/stored-content/content-store';
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

export const endpoint = defineEndpoint(
  {
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
    uses: { contents: readsKeptContents },
    renderError: (error, request) =>
      request.query['as'] === 'page'
        ? previewResponse(statusOf(error.code), previewErrorPage(error, request.requestId))
        : renderProblem(error, request),
    lambda: {
      stack: 'Recipients',
      tableActions: ['GetItem'],
      writesAudit: true,
    },
    words: {
      section: 'Sends',
      summary: 'Read the content of an email',
      description: `Returns the email as it was sent, if the organization keeps contents (\`keepContentDays\`) and the email's policy allows it. Two things differ: links are as you wrote them, not tracked, and the unsubscribe and preferences links are dead, since they would act for the recipient.

Each reading is audited and counts towards the organization's daily changes.`,
      fields: {
        as: '`page`: the content as a page for the console’s frame. Scripts don’t run, links don’t work, and nothing remote loads without `images`.',
        part: 'What the page shows: `html`, or `text` with custom headers and attachments. Without HTML, always the text.',
        images: '`remote`: the page loads remote images and fonts, so their hosts see that.',
        content: 'The text body.',
        htmlContent: 'The HTML body, if there is one.',
        attachments: 'Names, types and sizes of its attachments.',
        attachmentsKept:
          'Whether their bytes are stored too, so the email can be sent again. `true` without attachments.',
        'attachments.size': 'In bytes.',
        contentUntil: 'Until when the content is kept, in epoch milliseconds.',
        fromName: 'The name before the From address, if the request gave one.',
        replyTo: optionWords().replyTo,
        headers: 'The email’s custom headers.',
      },
      example: { path: { id: exampleIds.send } },
    },
  },
  // The audit entry is stored before the content is answered.
  async ({ caller, path, query }, reading) => {
    const kept = await readSendContent(caller.organizationId, path.id, reading);
    const { send, content } = kept;
    const { text, html } = await shownBodiesOf(content);
    const now = reading.now();
    await appendAuditEntry(reading.table, contentRead(caller, path.id, now));

    const { attachments, subject } = content;
    if (query.as === 'page') {
      const { headers = {} } = send;
      const isHtml = html !== undefined && query.part !== 'text';
      const page = keptEmailPage({
        html: isHtml ? await withOwnImages(html, kept, reading) : undefined,
        text,
        headers,
        attachments,
      });
      const loadsRemote = query.images === 'remote';
      const shown = loadsRemote ? page : await withoutConnections(page);
      return new WithHeaders(shown, previewHeadersFor({ loadsRemote }));
    }
    return {
      ...send,
      to: severalTo(send),
      sendId: send.id,
      subject,
      content: text,
      htmlContent: html,
      attachments,
      attachmentsKept: content.hasFiles === true || attachments.length === 0,
      contentUntil: contentUntil(send) ?? now,
    };
  },
);

async function withoutConnections(page: string): Promise<string> {
  const { withoutResourceLinks } = await import('#shared/tracking/resource-links');
  return withoutResourceLinks(page);
}
