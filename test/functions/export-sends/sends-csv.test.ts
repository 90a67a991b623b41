import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCsv, withoutDefusing } from '#shared/csv/csv';
import { type ListedSend, listedSendSchema } from '#shared/send-history/list-sends';
import { toSendView } from '#shared/send-history/send-view';
import { verdictOf } from '#shared/send-history/verdict';
import { sendsHeader, sendsRecords } from '../../../functions/export-sends/sends-csv.ts';
import { buildSend } from '../../support/send-builder.ts';

const at = Date.UTC(2027, 0, 15, 8);

const send: ListedSend = {
  ...listedSendSchema.parse({
    ...toSendView(buildSend(), at),
    verdict: verdictOf({ outcome: 'sent' }),
  }),
  status: 'failed',
  failureReason: 'MessageRejected',
  outcome: 'failed',
  outcomeAt: at + 50,
  createdAt: at,
  cause: { reason: 'Permanent/General', email: 'bob@example.com', diagnostic: '550 5.1.1' },
  fromEmail: 'hello@example.com',
  to: ['ann@example.com', 'di@example.com'],
  tags: { kind: 'reset', app: '2' },
  cc: ['bob@example.com', 'eve@example.com'],
  subject: '=HYPERLINK("http://evil.example", "Grüße")\r\n',
  idempotencyKey: '+1',
  suppressedRecipients: [{ email: 'eve@example.com', reason: 'bounce' }],
};

const cellsOf = (sends: readonly ListedSend[]): string[][] =>
  [...parseCsv(sendsHeader + sendsRecords(sends))].map(({ cells }) => cells.map(withoutDefusing));

it('writes a header and a line for each email', () => {
  const [header = [], record = []] = cellsOf([send]);

  expect(Object.fromEntries(header.map((name, place) => [name, record[place]]))).toEqual({
    id: send._id,
    status: 'failed',
    failure: 'MessageRejected',
    outcome: 'failed',
    outcome_at: '2027-01-15T08:00:00.050Z',
    reason: 'Permanent/General',
    diagnostic: '550 5.1.1',
    created: '2027-01-15T08:00:00.000Z',
    from: 'hello@example.com',
    to: 'ann@example.com di@example.com',
    cc: 'bob@example.com eve@example.com',
    bcc: '',
    suppressed: 'eve@example.com (bounce)',
    subject: send.subject,
    policy: 'transactional',
    template: '',
    key: '',
    tags: 'kind:reset app:2',
    idempotency_key: '+1',
  });
});

it('writes no cell that a spreadsheet would run as a formula', () => {
  const hostile = fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n'), fc.string());
  fc.assert(
    fc.property(hostile, ([sign, rest]) => {
      const text = `${sign}${rest}`;
      const [record] = parseCsv(sendsRecords([{ ...send, subject: text, policyKey: text }]));

      expect(record?.cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
    }),
  );
});

it('starts with the mark that tells spreadsheets it’s UTF-8', () => {
  expect(sendsHeader.codePointAt(0)).toBe(0xfeff);
});
