import { describe, expect, it } from 'vitest';
import { loadAttachments } from '#shared/attachments/load-attachments';
import { newOrganizationId, newUploadId } from '#shared/tokens/resource-id';
import { buildAttachments } from '../../support/attachment-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const uploadId = newUploadId(newOrganizationId(), 3);
const upload = { filename: 'a.pdf', uploadId, contentBase64: undefined };
const bytes = Buffer.from('abc');

describe('loadAttachments', () => {
  it('decodes what is inside the request', async () => {
    const attachments = buildAttachments({ contentType: 'text/plain' });

    const loaded = await loadAttachments(attachments, unexpected('fetchUpload'));

    expect(loaded).toEqual([
      { filename: 'notes.txt', contentType: 'text/plain', bytes: Buffer.from('Hello') },
    ]);
  });

  it.each([
    ['the request', 'text/csv', 'application/pdf', 'text/csv'],
    ['the upload, if the request names none', undefined, 'application/pdf', 'application/pdf'],
    ['neither, if neither names one', undefined, undefined, undefined],
  ])('gives an upload the content type of %s', async (_whose, asked, uploaded, expected) => {
    const attachments = buildAttachments({ ...upload, contentType: asked });

    const loaded = await loadAttachments(attachments, async () => ({
      bytes,
      contentType: uploaded,
    }));

    expect(loaded).toEqual([{ filename: 'a.pdf', contentType: expected, bytes }]);
  });

  it('names the upload that is not there', async () => {
    const attachments = buildAttachments({}, upload);

    const error = await serviceErrorOf(() => loadAttachments(attachments, async () => undefined));

    expect(error.code).toBe('unknown_upload');
    expect(error.errors?.map(({ path }) => path)).toEqual(['attachments.1.uploadId']);
  });
});
