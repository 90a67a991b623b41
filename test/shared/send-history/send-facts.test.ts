import { expect, it } from 'vitest';
import { attachmentsText, optionFacts } from '#shared/send-history/send-facts';
import { factsOfExamples, givenOptions } from '../../support/option-examples.ts';

it.each([
  [1, 1, '1 attachment, 1 byte'],
  [1, 1_023, '1 attachment, 1023 bytes'],
  [3, 1_499, '3 attachments, 1 KB'],
  [1, 1_023_487, '1 attachment, 999 KB'],
  [1, 1_023_488, '1 attachment, 1 MB'],
  [2, 1_234_567, '2 attachments, 1.2 MB'],
  [1, 10 * 1_024 ** 2, '1 attachment, 10 MB'],
])("states an email's number of attachments and bytes: %i, %i", (count, bytes, text) => {
  expect(attachmentsText({ attachmentCount: count, attachmentBytes: bytes })).toBe(text);
});

it('states nothing for an email without attachments', () => {
  expect(attachmentsText({})).toBeUndefined();
});

it("lists an email's options in the order of the page", () => {
  const facts = optionFacts({
    replyTo: ['help@example.com', 'Ann <ann@example.com>'],
    headers: { 'X-Order': '42' },
    tags: { kind: 'reset', team: 'shop' },
    metadata: { order: 42 },
    untracked: { opens: 'email', clicks: 'policy' },
  });

  expect(facts).toEqual([
    ['Reply-To', ['help@example.com', 'Ann <ann@example.com>']],
    ['Tags', ['kind:reset', 'team:shop']],
    ['Headers', ['X-Order: 42']],
    ['Metadata', ['{"order":42}']],
    ['Not tracked', ['opens (by the email)', 'clicks (by the policy)']],
  ]);
});

it('shows each option by its example', () => {
  const facts = optionFacts(givenOptions);

  expect(new Map(facts)).toEqual(new Map(factsOfExamples));
});

it("omits options that an email doesn't have", () => {
  expect(optionFacts({ tags: {}, untracked: {} })).toEqual([]);
});
