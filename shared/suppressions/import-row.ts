import type { SuppressionReason } from '#shared/contacts/contact';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { withoutDefusing } from '#shared/csv/csv';
import type { ImportColumns } from './import-columns.ts';
import type { NewSuppression } from './suppression.ts';

/** The limit of an exported file and of an import. */
export const maxRows = 10_000;

/**
 * A row costs some eight write units with its index entries, and a new table takes 4,000 a second. Most are left for
 * sends.
 */
export const rowsPerSecond = 200;

type ImportRowResult =
  | { readonly ok: true; readonly value: NewSuppression }
  | { readonly ok: false; readonly message: string };

/** The export's word for a complaint that one of several recipients made. */
const possibleComplaint = 'possible_complaint';

/** An import treats it as the same suppression. */
export const importedReasonOf = ({
  reason,
  possible,
}: {
  readonly reason: SuppressionReason;
  readonly possible?: true | undefined;
}): string => (possible ? possibleComplaint : reason);

/** Other services' words, without spaces, signs and case. */
const reasons: ReadonlyMap<string, SuppressionReason> = new Map([
  ['bounce', 'bounce'],
  ['bounced', 'bounce'],
  ['hardbounce', 'bounce'],
  ['complaint', 'complaint'],
  ['possiblecomplaint', 'complaint'],
  ['spamcomplaint', 'complaint'],
  ['spamreport', 'complaint'],
  ['manual', 'manual'],
  ['manualsuppression', 'manual'],
  ['unsubscribe', 'unsubscribe'],
  ['unsubscribed', 'unsubscribe'],
]);

/**
 * Messages never repeat the row's content.
 *
 * @param fallback the reason for rows without one.
 * @param now epoch milliseconds: the default time, and the latest allowed.
 */
export function readImportRow(
  cells: readonly string[],
  columns: ImportColumns,
  fallback: SuppressionReason | undefined,
  now: number,
): ImportRowResult {
  const cellOf = (place: number | undefined) =>
    withoutDefusing(place === undefined ? '' : (cells[place] ?? '').trim());
  const email = parseEmailAddress(cellOf(columns.email));
  if (!email.ok) return refused(`the address ${email.reason}`);

  const words = cellOf(columns.reason);
  const named = reasonOf(words, cellOf(columns.origin));
  const reason = named ?? fallback;
  if (reason === undefined) {
    return refused(
      'names no reason: add a column reason, or give the reason of the whole file, for example bounce',
    );
  }
  const at = timeOf(cellOf(columns.at), now);
  if (at === undefined) return refused('has a time that cannot be read');
  const diagnostic = cellOf(columns.diagnostic) || (named === undefined ? words : '');
  const { address, identity } = email.value;
  const isPossible = words.toLowerCase() === possibleComplaint;
  const details = { at, diagnostic, address, ...(isPossible && { possible: true as const }) };
  return { ok: true, value: { identity, reason, details } };
}

/** Postmark calls an unsubscription a manual suppression requested by the recipient. */
function reasonOf(words: string, origin: string): SuppressionReason | undefined {
  const reason = reasons.get(words.toLowerCase().replaceAll(/[^a-z]/g, ''));
  return reason === 'manual' && origin.toLowerCase() === 'recipient' ? 'unsubscribe' : reason;
}

const refused = (message: string): ImportRowResult => ({ ok: false, message });

/** Larger numbers are milliseconds: no export has times this late in seconds. */
const latestSecond = 100_000_000_000;
/** ISO 8601 with a time and no zone, as spreadsheets write it. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
/** RFC 5322 §3.3, as Mailgun writes it, and ISO 8601. Date.parse alone accepts any words with a number. */
const knownForm = /^(\d{4}-\d{2}-\d{2}|[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d{2}:\d{2})/i;

/** Epoch milliseconds. SendGrid has epoch seconds. */
function timeOf(text: string, now: number): number | undefined {
  if (text === '') return now;
  if (/^\d+$/.test(text)) {
    const number = Number(text);
    return Math.min(number < latestSecond ? number * 1_000 : number, now);
  }
  if (!knownForm.test(text)) return undefined;
  const moment = Date.parse(withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return moment >= 0 ? Math.min(moment, now) : undefined;
}
