import { expect, it } from 'vitest';
import { attachmentsText } from '#shared/sends/attachments-text';

it.each([
  [1, 1, '1 attachment, 1 byte'],
  [1, 1_023, '1 attachment, 1023 bytes'],
  [3, 1_499, '3 attachments, 1 KB'],
  [1, 1_023_487, '1 attachment, 999 KB'],
  [1, 1_023_488, '1 attachment, 1 MB'],
  [2, 1_234_567, '2 attachments, 1.2 MB'],
  [1, 10 * 1_024 ** 2, '1 attachment, 10 MB'],
])('says how many files of how many bytes went with an email: %i, %i', (count, bytes, text) => {
  expect(attachmentsText({ attachmentCount: count, attachmentBytes: bytes })).toBe(text);
});

it('says nothing of an email without any', () => {
  expect(attachmentsText({})).toBeUndefined();
});
