import { expect, it } from 'vitest';
import { attachmentsText } from '#shared/sends/attachments-text';

it.each([
  [1, 1, '1 attachment, 1 byte'],
  [1, 999, '1 attachment, 999 bytes'],
  [3, 1_499, '3 attachments, 1 KB'],
  [1, 999_499, '1 attachment, 999 KB'],
  [1, 999_500, '1 attachment, 1 MB'],
  [2, 1_234_567, '2 attachments, 1.2 MB'],
])('says how many files of how many bytes went with an email: %i, %i', (count, bytes, text) => {
  expect(attachmentsText({ attachmentCount: count, attachmentBytes: bytes })).toBe(text);
});

it('says nothing of an email without any', () => {
  expect(attachmentsText({})).toBeUndefined();
});
