import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Attachments',
  summary: 'Get a place to upload an attachment to',
  description: `For attachments that do not fit into a request. PUT exactly \`size\` bytes to \`url\`, with exactly the headers of the answer, before \`expiresAt\`. Then name the upload in a send by its \`uploadId\`.

An upload never changes, and is there for a day, for any number of sends. S3 answers 412 to a second PUT: the bytes are there already.

\`size\` counts towards what the organization may upload in a day (UTC), whether the bytes come or not.`,
  access: { key: 'required', scope: 'send_email' },
  fields: {
    url: 'Where the bytes go. Whoever has it may upload.',
    headers: 'The headers of the PUT, to be sent as they are.',
    expiresAt: 'Until when the bytes can be put there, in epoch milliseconds.',
  },
  example: { body: { filename: 'report.pdf', contentType: 'application/pdf', size: 9_000_000 } },
  answers: {
    201: {
      description: 'Where to put the bytes.',
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
} as const satisfies EndpointReference;
