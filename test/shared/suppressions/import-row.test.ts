import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { parseCsv } from '#shared/csv/csv';
import { findColumns } from '#shared/suppressions/import-columns';
import { importedReasonOf, readImportRow } from '#shared/suppressions/import-row';

const now = Date.UTC(2026, 10, 21);

/** Reads the rows of a file with its own columns. */
function read(text: string, fallback?: SuppressionReason) {
  const [first, ...others] = [...parseCsv(text)];
  const found = findColumns(first?.cells ?? []);
  if (first === undefined || found === undefined) return undefined;
  const rows = found.isHeader ? others : [first, ...others];
  return rows.map(({ cells }) => readImportRow(cells, found.columns, fallback, now));
}

const taken = (
  identity: string,
  reason: SuppressionReason,
  at: number,
  diagnostic = '',
  address = identity,
) => ({ ok: true, value: { identity, reason, details: { at, diagnostic, address } } });

describe('an export of this service', () => {
  it('keeps a possible complaint possible', () => {
    const reason = importedReasonOf({ reason: 'complaint', possible: true });

    expect(
      read(`email,reason\nann@example.com,${reason}\nbob@example.com,complaint`),
    ).toMatchObject([
      { value: { reason: 'complaint', details: { possible: true } } },
      { value: { reason: 'complaint', details: expect.not.objectContaining({ possible: true }) } },
    ]);
  });
});

describe('an export of another service', () => {
  it('SendGrid, a file for each reason', () => {
    const file = [
      'status,reason,email,created',
      '5.1.1,"550 5.1.1 user unknown, sorry",Ann@Example.com,1443651125',
    ].join('\n');

    expect(read(file, 'bounce')).toEqual([
      taken(
        'ann@example.com',
        'bounce',
        1_443_651_125_000,
        '550 5.1.1 user unknown, sorry',
        'Ann@example.com',
      ),
    ]);
    expect(read(file)).toMatchObject(
      [{ ok: false, message: /reason of the whole file, for example bounce/ }].map(messages),
    );
  });

  it('Mailgun, a file for each reason', () => {
    const bounces = [
      'address,code,error,created_at',
      'ann@example.com,550,No such mailbox,"Fri, 21 Oct 2011 11:02:55 GMT"',
    ].join('\r\n');
    const unsubscribes =
      'address,tags,created_at\r\nben@example.org,*,"Fri, 21 Oct 2011 11:02:55 UTC"';
    const at = Date.UTC(2011, 9, 21, 11, 2, 55);

    expect(read(bounces, 'bounce')).toEqual([
      taken('ann@example.com', 'bounce', at, 'No such mailbox'),
    ]);
    expect(read(unsubscribes, 'unsubscribe')).toEqual([
      taken('ben@example.org', 'unsubscribe', at),
    ]);
  });

  it('Postmark, whose unsubscriptions are manual suppressions by the recipient', () => {
    const at = Date.UTC(2019, 11, 17, 13, 58, 33);
    const file = [
      'EmailAddress,SuppressionReason,Origin,CreatedAt',
      'a@example.com,HardBounce,Recipient,2019-12-17T08:58:33-05:00',
      'b@example.com,SpamComplaint,Recipient,2019-12-17T08:58:33-05:00',
      'c@example.com,ManualSuppression,Recipient,2019-12-17T08:58:33-05:00',
      'd@example.com,ManualSuppression,Customer,2019-12-17T08:58:33-05:00',
    ].join('\n');

    expect(read(file)).toEqual([
      taken('a@example.com', 'bounce', at),
      taken('b@example.com', 'complaint', at),
      taken('c@example.com', 'unsubscribe', at),
      taken('d@example.com', 'manual', at),
    ]);
  });

  it('SES, its list and its file for bulk actions, which has no header', () => {
    const list =
      'EmailAddress,Reason,LastUpdateTime\nann@example.com,BOUNCE,2026-01-02T03:04:05.678000+00:00\n';
    const bulk = 'ann@example.com,BOUNCE\nben@example.org, COMPLAINT\n';

    expect(read(list)).toEqual([
      taken('ann@example.com', 'bounce', Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    ]);
    expect(read(bulk)).toEqual([
      taken('ann@example.com', 'bounce', now),
      taken('ben@example.org', 'complaint', now),
    ]);
  });
});

const messages = ({ message, ...row }: { ok: boolean; message: RegExp }) => ({
  ...row,
  message: expect.stringMatching(message),
});

describe('a row', () => {
  it.each([
    { cells: ['nobody', 'bounce', ''], message: /address must be an email address/ },
    { cells: ['', 'bounce', ''], message: /address/ },
    { cells: ['ann@example.com', 'tired', ''], message: /no reason/ },
    { cells: ['ann@example.com', 'bounce', 'yesterday'], message: /time/ },
    { cells: ['ann@example.com', 'bounce', 'at 5'], message: /time/ },
  ])('is refused, without a word of what it holds: $cells', ({ cells, message }) => {
    const row = readImportRow(cells, { email: 0, reason: 1, at: 2 }, undefined, now);

    expect(row).toMatchObject(messages({ ok: false, message }));
    expect(JSON.stringify(row)).not.toMatch(/nobody|tired|yesterday|ann@/);
  });

  it.each([
    ['', now],
    ['1700000000', 1_700_000_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['2026-01-02 03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2099-01-01', now],
    ['99999999999999', now],
  ])('has the time "%s"', (text, at) => {
    const row = readImportRow(
      ['a@example.com', 'bounce', text],
      { email: 0, reason: 1, at: 2 },
      undefined,
      now,
    );

    expect(row).toMatchObject({ ok: true, value: { details: { at } } });
  });
});

describe('a file', () => {
  it.each(['name,phone\n', 'hello\n', '\n'])(
    'without addresses is known by its first line: %j',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});
