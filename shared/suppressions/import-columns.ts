import { parseEmailAddress } from '#shared/contacts/email-address';

export type ImportColumns = {
  readonly email: number;
  readonly reason?: number | undefined;
  readonly at?: number | undefined;
  readonly diagnostic?: number | undefined;
  /** Only Postmark has this: who asked for the suppression. */
  readonly origin?: number | undefined;
};

/**
 * Other services' column names, without spaces, signs and case:
 *
 * | | address | reason | time | diagnostic |
 * |---|---|---|---|---|
 * | this service | `email` | `reason` | `at` | `diagnostic` |
 * | SendGrid | `email` | | `created` | `reason` |
 * | Mailgun | `address` | | `created_at` | `error` |
 * | Postmark | `EmailAddress` | `SuppressionReason` | `CreatedAt` | |
 * | SES | `EmailAddress` | `Reason` | `LastUpdateTime` | |
 *
 * SendGrid and Mailgun have a file for each reason, without a column for it. A `reason` without a known word is a
 * diagnostic: see `import-row.ts`.
 */
const names = {
  email: ['email', 'emailaddress', 'address', 'recipient'],
  reason: ['suppressionreason', 'reason', 'type'],
  at: ['at', 'created', 'createdat', 'lastupdatetime', 'timestamp', 'date'],
  diagnostic: ['diagnostic', 'error', 'description'],
  origin: ['origin'],
} as const;

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/**
 * Reads the first record. SES's own lists for bulk actions have no header. `undefined` if no column holds addresses.
 */
export function findColumns(
  first: readonly string[],
): { readonly columns: ImportColumns; readonly isHeader: boolean } | undefined {
  const header = first.map(bare);
  const placeOf = (known: readonly string[]) => {
    const name = known.find((one) => header.includes(one));
    return name === undefined ? undefined : header.indexOf(name);
  };
  const email = placeOf(names.email);
  if (email !== undefined) {
    const columns = {
      email,
      reason: placeOf(names.reason),
      at: placeOf(names.at),
      diagnostic: placeOf(names.diagnostic),
      origin: placeOf(names.origin),
    };
    return { columns, isHeader: true };
  }
  const isAddress = parseEmailAddress(first[0] ?? '').ok;
  return isAddress ? { columns: { email: 0, reason: 1 }, isHeader: false } : undefined;
}
