import * as z from 'zod/mini';
import { organizationOf } from '#shared/access/admit-caller';
import { limitUploads } from '#shared/access/limit-day';
import { knowsAttachmentRules } from '#shared/attachments/admit-attachments';
import { contentTypeSchema, fileNameSchema } from '#shared/attachments/attachment';
import { planRequired, tooLarge } from '#shared/attachments/attachment-rejection';
import { issueUploadTicket, signsUploads } from '#shared/attachments/upload-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { newUploadId, uploadIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/attachments',
    access: { key: 'required', scope: 'send_email', takesTestKeys: true },
    body: z.strictObject({
      filename: fileNameSchema,
      contentType: z._default(contentTypeSchema, 'application/octet-stream'),
      size: z.int().check(z.positive()),
    }),
    answers: {
      201: {
        body: z.object({
          uploadId: uploadIdSchema,
          url: z.url(),
          method: z.literal('PUT'),
          headers: z.record(z.string(), z.string()),
          expiresAt: z.int(),
        }),
        description: 'Where to upload the file.',
        example: {
          uploadId: exampleIds.upload,
          url: 'https://bucket.s3.eu-west-1.amazonaws.com/n4c2wmiwi5xkqr3d?X-Amz-Signature=6b1f0c',
          method: 'PUT',
          headers: {
            'content-type': 'application/pdf',
            'content-length': '9000000',
            'if-none-match': '*',
          },
          expiresAt: exampleTime,
        },
      },
    },
    errors: ['plan_required', 'too_large', 'upload_limit_reached'],
    uses: { rules: knowsAttachmentRules, bucket: signsUploads },
    lambda: {
      tableActions: ['GetItem', 'UpdateItem'],
      isAskedPerEmail: true,
    },
    words: {
      section: 'Attachments',
      summary: 'Get a URL to upload an attachment to',
      description: `For attachments that don’t fit in a request. PUT exactly \`size\` bytes to \`url\` with exactly the headers of the answer, before \`expiresAt\`. Then give the \`uploadId\` in a send.

An upload never changes. You can use it for a day, in any number of sends. If S3 answers 412 to a second PUT, the file is already there.

\`size\` counts towards the bytes that the organization may upload in a day (UTC), even if the file never comes.`,
      fields: {
        contentType:
          'The file’s media type. If it’s left out, it follows from the file’s name in the email.',
        url: 'Where the file goes. Anyone who has this URL can upload.',
        headers: 'The headers of the PUT. Send them unchanged.',
        expiresAt: 'When `url` stops accepting the file, in epoch milliseconds.',
      },
      example: {
        body: { filename: 'report.pdf', contentType: 'application/pdf', size: 9_000_000 },
      },
    },
  },
  // For attachments too large for a request. Refuses what couldn't be sent now, before the caller uploads it.
  async ({ caller, body: { contentType, size } }, service) => {
    const { table, rules, bucket } = service;
    const now = service.now();
    const organization = await organizationOf(table, caller);

    const entitlement = await rules.checkEntitlement(organization, now);
    if (!entitlement.allowed) throw planRequired(entitlement, 'filename');
    const { maxTotalBytes } = rules.attachmentLimits;
    if (size > maxTotalBytes) throw tooLarge(size, maxTotalBytes, 'size');
    await limitUploads(organization, size, now, service, { isTest: caller.apiKey.test === true });
    return issueUploadTicket(bucket, newUploadId(organization.id, size), contentType, now);
  },
);
