import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { search, wordsOf } from '../../../../functions/show-docs/app/search.ts';
import { docsPages } from '../../../../infra/docs/build-docs.ts';
import { renderPage } from '../../../../infra/docs/docs-shell.ts';
import { searchIndex } from '../../../../infra/docs/search-index.ts';
import { describeThisService } from '../../../infra/openapi/description.ts';

const entries = searchIndex(docsPages(await describeThisService()).map(renderPage));
const found = (query: string) => search(entries, query).map(({ address }) => address);

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

  it.each(['', '   ', '?!', 'xyzzyxyzzy', 'webhook xyzzyxyzzy'])(
    'finds nothing for %j',
    (query) => {
      expect(found(query)).toEqual([]);
    },
  );

  it('shows headings that have each word of the query, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (query) => {
        for (const { title, words } of search(entries, query)) {
          const all = [...wordsOf(title), ...words.split(' ')];
          for (const word of wordsOf(query)) {
            expect(all.some((one) => one.startsWith(word))).toBe(true);
          }
        }
      }),
    );
  });
});
