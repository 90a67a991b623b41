import { expect, it } from 'vitest';
import { megabyte } from '#shared/attachments/attachment-rejection';
import { attachmentBytesIn } from '#shared/sending/later/workers';

it.each([
  { memory: 512, largest: 10, count: 2 },
  { memory: 1024, largest: 25, count: 2 },
])('a worker with $memory MB holds $count emails of $largest MB at once', (worker) => {
  const bytes = attachmentBytesIn(worker.memory);

  expect(Math.floor(bytes / (worker.largest * megabyte))).toBe(worker.count);
});
