import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIndex, search, wordsOf } from '../../../../functions/show-docs/app/search.ts';
import { docsPages } from '../../../../infra/docs/build-docs.ts';
import { renderPage } from '../../../../infra/docs/docs-shell.ts';
import { searchIndex } from '../../../../infra/docs/search-index.ts';
import { describeService } from '../../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../../infra/openapi/endpoints.ts';

const pages = docsPages(describeService(routedEndpoints)).map(renderPage);
const index = readIndex(searchIndex(pages));
const found = (query: string) => search(index, query).map(({ address }) => address);

describe('the search of the documents', () => {
  it.each([
    ['send an email', '/docs/api/emails#send-an-email'],
    ['verify webhook', '/docs/verify-webhooks'],
    ['sandbox', '/docs/leave-the-sandbox'],
    ['resend', '/docs/move-from-resend'],
    ['idempotency_key_reused', '/docs/api/errors#idempotency_key_reused'],
    ['email.bounced', '/docs/api/webhook-messages#emailbounced'],
    ['restore', '/docs/restore'],
    ['doubtWindowSeconds', '/docs/operating#configure'],
  ])('finds %j', (query, address) => {
    expect(found(query).slice(0, 4)).toContain(address);
  });

  it('finds the same in capitals, with punctuation, and while the last word is typed', () => {
    const expected = found('webhook signature');

    expect(found('  WEBHOOK-Signature? ')).toEqual(expected);
    expect(found('webhook signatu')).toContain(expected[0]);
  });

  it.each([
    ['soft bounce', '/docs/tasks#try-a-bounce-a-complaint-or-a-delay'],
    ['dkim', '/docs/custom-domain#from-identity'],
    ['bcc', '/docs/tasks#send-an-email'],
    ['sendAt', '/docs/tasks#send-later-or-through-a-queue'],
    ['simulator', '/docs/tasks#try-a-bounce-a-complaint-or-a-delay'],
    ['bounces', '/docs/tasks#try-a-bounce-a-complaint-or-a-delay'],
    ['test mode', '/docs/tasks#test-keys'],
    ['inline image', '/docs/tasks#attachments'],
    ['webhook signatur', '/docs/verify-webhooks'],
  ])('finds %j in our own guides and reference first', (query, address) => {
    expect(found(query).slice(0, 3)).toContain(address);
  });

  const isForOthers = (address: string) =>
    /^\/docs\/(?:api\/)?(?:(?:move-from-)?resend|postmark|smtp|coming-from)(?:#|$)/.test(address);

  it.each(['bounce', 'bounces', 'soft bounce', 'dkim', 'bcc', 'sendAt', 'simulator', 'attachment'])(
    'shows pages for programs of other services below our own for %j',
    (query) => {
      expect(found(query).slice(0, 4).filter(isForOthers)).toEqual([]);
    },
  );

  it.each(['resend webhooks', 'postmark bounces', 'smtp', 'move from resend'])(
    'shows them first where they are asked for: %j',
    (query) => {
      expect(found(query).slice(0, 3).every(isForOthers)).toBe(true);
    },
  );

  it.each([
    ['bounce', 'bounces'],
    ['api key', 'api keys'],
    ['address', 'addresses'],
  ])('finds the same for %j and %j', (singular, plural) => {
    expect(found(plural)).toEqual(found(singular));
  });

  it.each([
    ['bcc', '/docs/tasks#send-an-email', /\bbcc\b.* take one address or a list/],
    ['sendAt', '/docs/api/emails#send-an-email', /^sendAt /],
    ['webhook signature', '/docs/verify-webhooks#check-the-signature', /^Messages follow/],
  ])(
    'shows for %j the sentence that has it, the first where the title does',
    (query, address, sentence) => {
      const result = search(index, query).find((one) => one.address === address);

      expect(result?.sentence).toMatch(sentence);
    },
  );

  it('shows the part of a long sentence that has it', () => {
    const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`;
    const [result] = search(
      readIndex([{ title: 'A', page: '', address: '/docs', weight: 1, text }]),
      'needle',
    );

    expect(result?.sentence).toMatch(/^… before .*needle after .* …$/);
    expect(result?.sentence.length).toBeLessThan(160);
  });

  it.each(['', '   ', '?!', 'xyzzyxyzzy'])('finds nothing for %j', (query) => {
    expect(found(query)).toEqual([]);
  });

  it('finds what has the other words when one is nowhere', () => {
    expect(found('webhook xyzzyxyzzy')).toEqual(found('webhook'));
    expect(found('xyzzyxyzzy why does my program get 400')[0]).toBe(
      '/docs/tasks#why-does-my-program-get-400',
    );
  });

  it('shows headings that have a word of the query, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (query) => {
        for (const { title, text, page, address, alsoCalled = '' } of search(index, query)) {
          const parts = index.filter(({ entry }) => entry.address.startsWith(`${address}#`));
          const below = page === '' ? parts.map(({ entry }) => `${entry.title} ${entry.text}`) : [];
          const all = wordsOf([title, page, text, alsoCalled, ...below].join(' '));
          const starts = wordsOf(query).map((word) => word.replace(/e?s$/, ''));
          expect(all.some((one) => starts.some((start) => one.startsWith(start)))).toBe(true);
        }
      }),
    );
  });
});
